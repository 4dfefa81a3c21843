/// A key that no type declared: an index in an array, or the key of a superclass.
struct DecodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }

  /// The key that `superDecoder()` uses.
  static let superclass = DecodingKey(stringValue: "super")
}
