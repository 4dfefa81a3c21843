extension String {
  /// The text as one word of a POSIX shell, for the paths in commands that a message suggests.
  package var shellWord: String {
    let isPlain =
      !isEmpty && utf8.allSatisfy { "/._-+@:,".utf8.contains($0) || Self.isAlphanumeric($0) }
    guard !isPlain else { return self }
    // A quote ends the quoted part, stands for itself after a backslash, and begins the next part.
    return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
