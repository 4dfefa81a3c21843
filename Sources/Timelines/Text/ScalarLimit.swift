extension StringProtocol {
  /// The text, or its beginning and … if it has more Unicode scalars than a limit.
  ///
  /// Not by characters: one character can have any number of scalars, so that a limit of characters
  /// does not limit what is stored or sent.
  package func cut(toScalars limit: Int) -> String {
    let scalars = unicodeScalars
    guard let end = scalars.index(startIndex, offsetBy: Swift.max(0, limit), limitedBy: endIndex),
      end < endIndex
    else { return String(self) }
    return String(String.UnicodeScalarView(scalars.prefix(Swift.max(0, limit - 1)))) + "…"
  }
}
