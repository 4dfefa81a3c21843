extension DecodingDocument {
  /// A value of any type: the types that the canonical form writes in its own way are read here,
  /// all others read themselves.
  ///
  /// The path is asked for only where one is needed, since most values need none.
  func value<T: Decodable>(
    _ type: T.Type, at node: Int, _ path: () -> DecodingPath?
  ) throws -> T {
    // One comparison of pointers each; a cast to a protocol would cost as much as reading a member.
    if type == String.self { return same(try scalar(String.self, at: node, path)) }
    if type == Int.self { return same(try scalar(Int.self, at: node, path)) }
    if type == Double.self { return same(try scalar(Double.self, at: node, path)) }
    if type == Bool.self { return same(try scalar(Bool.self, at: node, path)) }
    if type == [String].self { return same(try scalars(String.self, at: node, path)) }
    if type == [Int].self { return same(try scalars(Int.self, at: node, path)) }
    if type == [Double].self { return same(try scalars(Double.self, at: node, path)) }
    if type == UInt8.self { return same(try scalar(UInt8.self, at: node, path)) }
    if type == Int64.self { return same(try scalar(Int64.self, at: node, path)) }
    if type == Float.self { return same(try scalar(Float.self, at: node, path)) }
    if let value = try foundationValue(type, at: node, path) { return value }
    return try type.init(from: ValueDecoder(self, node, path()))
  }

  /// The value under the name of a type that is the same.
  @inline(__always)
  func same<S, T>(_ value: S) -> T {
    // Safe: only called where `S` and `T` were found to be one type, which the compiler does not
    // conclude. A cast that checks it again costs more than reading the value.
    unsafeBitCast(value, to: T.self)
  }
}

extension DecodingDocument {
  /// Why there is no value of that type at the node.
  @inline(never)
  func failure(_ type: any Any.Type, at node: Int, _ path: DecodingPath?) -> DecodingError {
    let found = kind(node)
    if isNull(node) {
      return .valueNotFound(
        type, context(path, "Expected a value of type \(type), but found null instead."))
    }
    if let reason = misfit(type, at: node) { return .dataCorrupted(context(path, reason)) }
    return .typeMismatch(
      type, context(path, "Expected to decode \(type) but found \(found) instead."))
  }

  /// Why a value of the right kind is none of that type.
  private func misfit(_ type: any Any.Type, at node: Int) -> String? {
    let text = text(node)
    switch text[0] {
    case UInt8(ascii: "\""):
      return Self.foundationMisfit(type)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard type is any Numeric.Type || Self.isWrittenAsNumber(type) else { return nil }
      let number = String(decoding: text, as: UTF8.self)
      return "The number \(number) does not fit in \(type)."
    default:
      return nil
    }
  }

  private func kind(_ node: Int) -> String {
    switch first(node) {
    case UInt8(ascii: "n"): "null"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "a bool"
    case UInt8(ascii: "\""): "a string"
    case UInt8(ascii: "["): "an array"
    case UInt8(ascii: "{"): "an object"
    default: "a number"
    }
  }

  /// Where an error is, and what it is.
  func context(_ path: DecodingPath?, _ text: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: DecodingPath.keys(path), debugDescription: text)
  }
}
