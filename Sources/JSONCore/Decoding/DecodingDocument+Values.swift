extension DecodingDocument {
  /// A value of any type: the types that the canonical form writes in its own way are read here,
  /// all others read themselves.
  ///
  /// The decoder is made only if it is needed, because most values do not need one.
  func value<T: Decodable>(
    _ type: T.Type, at node: Int, _ decoder: () -> ValueDecoder
  ) throws -> T {
    // One comparison of pointers each; a cast to a protocol would cost as much as reading a member.
    if type == String.self { return Self.same(try scalar(String.self, at: node, decoder)) }
    if type == Int.self { return Self.same(try scalar(Int.self, at: node, decoder)) }
    if type == Double.self { return Self.same(try scalar(Double.self, at: node, decoder)) }
    if type == Bool.self { return Self.same(try scalar(Bool.self, at: node, decoder)) }
    if type == UInt8.self { return Self.same(try scalar(UInt8.self, at: node, decoder)) }
    if type == Int64.self { return Self.same(try scalar(Int64.self, at: node, decoder)) }
    if type == Float.self { return Self.same(try scalar(Float.self, at: node, decoder)) }
    if let value = try foundationValue(type, at: node, decoder) { return value }
    // Few other types are written as arrays, so the cast pays off here.
    if isArray(node), let array = type as? any DecodingArray.Type {
      return try array.read(as: type, self, node, decoder())
    }
    return try type.init(from: decoder())
  }

  /// A value of a type that is known to be the scalar type.
  @inline(__always)
  func scalar<S: DecodingScalar>(
    _ type: S.Type, at node: Int, _ decoder: () -> ValueDecoder
  ) throws -> S {
    guard let value = S.read(self, node) else { throw decoder().failure(type) }
    return value
  }

  /// The value under the name of a type that is the same.
  @inline(__always)
  static func same<S, T>(_ value: S) -> T {
    // Safe: only called where `S` and `T` were found to be one type, which the compiler does not
    // conclude. A cast that checks it again costs more than reading the value.
    unsafeBitCast(value, to: T.self)
  }
}
