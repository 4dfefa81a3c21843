/// Reads the members of an object.
struct KeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder

  init(_ decoder: ValueDecoder) {
    self.decoder = decoder
  }

  private var document: DecodingDocument { decoder.document }

  private var object: Int { decoder.node }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    var keys: [Key] = []
    var node = object + 1
    let end = document.next(object)
    while node < end {
      if let key = Key(stringValue: document.string(node)) { keys.append(key) }
      node = document.next(node + 1)
    }
    return keys
  }

  func contains(_ key: Key) -> Bool { document.member(key.stringValue, of: object) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try member(key)) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let node = try member(key)
    return try document.value(type, at: node) { behind(key, node) }
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let node = present(key) else { return nil }
    return try document.value(type, at: node) { behind(key, node) }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try behind(key, try member(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try behind(key, try member(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { superclass(DecodingKey.superclass) }

  func superDecoder(forKey key: Key) throws -> any Decoder { superclass(key) }

  /// The decoder of a superclass; a missing value is null, because the superclass may read nothing.
  private func superclass(_ key: some CodingKey) -> ValueDecoder {
    behind(key, document.member(key.stringValue, of: object) ?? document.null)
  }

  @inline(__always)
  private func behind(_ key: some CodingKey, _ node: Int) -> ValueDecoder {
    ValueDecoder(decoder, .key(key), node)
  }

  /// The member's value.
  @inline(__always)
  private func member(_ key: Key) throws -> Int {
    guard let node = document.member(key.stringValue, of: object) else { throw missing(key) }
    return node
  }

  /// The member's value, if it exists and is not null.
  @inline(__always)
  private func present(_ key: Key) -> Int? {
    guard let node = document.member(key.stringValue, of: object), !document.isNull(node) else {
      return nil
    }
    return node
  }

  @inline(never)
  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      decoder.context("No value associated with key \(key) (\(key.stringValue.debugDescription))."))
  }

  @inline(__always)
  private func scalar<S: DecodingScalar>(_ key: Key) throws -> S {
    let node = try member(key)
    return try document.scalar(S.self, at: node) { behind(key, node) }
  }

  @inline(__always)
  private func scalarIfPresent<S: DecodingScalar>(_ key: Key) throws -> S? {
    guard let node = present(key) else { return nil }
    return try document.scalar(S.self, at: node) { behind(key, node) }
  }
}

// The protocol's defaults would look for each optional member three times.
extension KeyedReader {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try scalarIfPresent(key)
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try scalarIfPresent(key)
  }
}
