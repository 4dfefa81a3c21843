/// The decoder that a type reads itself from: one value of the document.
///
/// Three words, so that handing it out needs no memory.
struct ValueDecoder: Decoder {
  private let document: DecodingDocument
  private let node: Int
  private let path: DecodingPath?

  init(_ document: DecodingDocument, _ node: Int, _ path: DecodingPath?) {
    self.document = document
    self.node = node
    self.path = path
  }

  var codingPath: [any CodingKey] { DecodingPath.keys(path) }

  var userInfo: [CodingUserInfoKey: Any] { document.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard document.isObject(node) else {
      throw document.failure([String: Any].self, at: node, path)
    }
    return KeyedDecodingContainer(KeyedReader<Key>(document, node, path))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard document.isArray(node) else { throw document.failure([Any].self, at: node, path) }
    return UnkeyedReader(document, node, path)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { document.isNull(node) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try document.value(type, at: node) { path }
  }

  @inline(__always)
  private func scalar<S: DecodingScalar>() throws -> S {
    try document.scalar(S.self, at: node) { path }
  }

  func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
  func decode(_ type: String.Type) throws -> String { try scalar() }
  func decode(_ type: Double.Type) throws -> Double { try scalar() }
  func decode(_ type: Float.Type) throws -> Float { try scalar() }
  func decode(_ type: Int.Type) throws -> Int { try scalar() }
  func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
  func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
  func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
  func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
  func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }
  func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }
}
