extension JSON: CustomStringConvertible {
  /// The text that ``encoded()`` returns.
  public var description: String { String(decoding: encoded(), as: UTF8.self) }
}

extension JSONSlice: CustomStringConvertible {
  /// The text as it was read.
  public var description: String { text }
}
