/// Reads the elements of an array in order.
///
/// If an element cannot be read, it remains the next one.
struct UnkeyedReader: UnkeyedDecodingContainer {
  private let decoder: ValueDecoder
  private var node: Int
  private(set) var currentIndex = 0

  init(_ decoder: ValueDecoder) {
    self.decoder = decoder
    node = decoder.node + 1
  }

  private var document: DecodingDocument { decoder.document }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var count: Int? { document.count(decoder.node) }

  var isAtEnd: Bool { node == document.next(decoder.node) }

  mutating func decodeNil() throws -> Bool {
    guard document.isNull(try element(Any.self)) else { return false }
    advance()
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try document.value(type, at: try element(type)) { here }
    advance()
    return value
  }

  mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
    guard isPresent() else { return nil }
    return try decode(type)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    _ = try element(KeyedDecodingContainer<NestedKey>.self)
    let container = try here.container(keyedBy: type)
    advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    _ = try element((any UnkeyedDecodingContainer).self)
    let container = try here.unkeyedContainer()
    advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    _ = try element((any Decoder).self)
    defer { advance() }
    return here
  }

  /// The next element's decoder.
  private var here: ValueDecoder { ValueDecoder(decoder, .index(currentIndex), node) }

  @inline(__always)
  private mutating func advance() {
    node = document.next(node)
    currentIndex += 1
  }

  /// The next element.
  @inline(__always)
  private func element(_ type: any Any.Type) throws -> Int {
    guard !isAtEnd else { throw atEnd(type) }
    return node
  }

  @inline(never)
  private func atEnd(_ type: any Any.Type) -> DecodingError {
    .valueNotFound(type, here.context("Unkeyed container is at end."))
  }

  /// Whether there is a next element that is not null; skips a null.
  @inline(__always)
  private mutating func isPresent() -> Bool {
    guard !isAtEnd else { return false }
    guard document.isNull(node) else { return true }
    advance()
    return false
  }

  @inline(__always)
  private mutating func scalar<S: DecodingScalar>() throws -> S {
    let value = try document.scalar(S.self, at: try element(S.self)) { here }
    advance()
    return value
  }

  @inline(__always)
  private mutating func scalarIfPresent<S: DecodingScalar>() throws -> S? {
    guard isPresent() else { return nil }
    return try scalar()
  }
}

extension UnkeyedReader {
  mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
  mutating func decode(_ type: String.Type) throws -> String { try scalar() }
  mutating func decode(_ type: Double.Type) throws -> Double { try scalar() }
  mutating func decode(_ type: Float.Type) throws -> Float { try scalar() }
  mutating func decode(_ type: Int.Type) throws -> Int { try scalar() }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }

  mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try scalarIfPresent() }
  mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try scalarIfPresent() }
}
