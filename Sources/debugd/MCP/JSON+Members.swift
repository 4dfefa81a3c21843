public import JSONCore

// Replies are built from literals of members.
extension JSON.Object: ExpressibleByDictionaryLiteral {
  /// An object with these members.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}

extension JSON {
  /// A whole number.
  static func count(_ number: Int64) -> JSON { .number(JSON.Number(number)) }

  /// A whole number.
  static func count(_ number: Int) -> JSON { .number(JSON.Number(Int64(number))) }
}
