/// The decoder that a type receives: one value of the document, and the path to it.
///
/// It is its own coding path: each decoder links to its parent, so that a value that decodes
/// without error needs no list of keys. Containers store only the decoder they came from.
final class ValueDecoder: Decoder {
  /// One step into an object or array.
  enum Step {
    case key(any CodingKey)
    case index(Int)
  }

  let document: DecodingDocument
  let node: Int
  private let parent: ValueDecoder?
  private let step: Step

  /// A decoder of the document's outermost value.
  init(_ document: DecodingDocument) {
    self.document = document
    node = document.root
    parent = nil
    step = .index(0)
  }

  /// A decoder of a value that is one step below another one.
  init(_ parent: ValueDecoder, _ step: Step, _ node: Int) {
    document = parent.document
    self.node = node
    self.parent = parent
    self.step = step
  }

  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var decoder = self
    while let parent = decoder.parent {
      switch decoder.step {
      case .key(let key): keys.append(key)
      case .index(let index): keys.append(DecodingKey(intValue: index))
      }
      decoder = parent
    }
    return keys.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] { document.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard document.isObject(node) else { throw failure([String: Any].self) }
    return KeyedDecodingContainer(KeyedReader<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard document.isArray(node) else { throw failure([Any].self) }
    return UnkeyedReader(self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { document.isNull(node) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try document.value(type, at: node) { self }
  }

  @inline(__always)
  private func scalar<S: DecodingScalar>() throws -> S {
    guard let value = S.read(document, node) else { throw failure(S.self) }
    return value
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
