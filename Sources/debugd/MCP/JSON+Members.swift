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
  /// An object with one more member.
  func adding(_ key: String, _ value: JSON) -> JSON {
    var object = self.object ?? JSON.Object()
    object[key] = value
    return .object(object)
  }

  /// A whole number.
  static func count(_ number: Int64) -> JSON { .number(JSON.Number(number)) }

  /// A whole number.
  static func count(_ number: Int) -> JSON { .number(JSON.Number(Int64(number))) }
}
