/// A key that no type declared: the place in an array, or where a superclass is written.
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

  /// The key under which `superDecoder()` looks.
  static let superclass = DecodingKey(stringValue: "super")
}
