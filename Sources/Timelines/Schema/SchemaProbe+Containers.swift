/// A container for one value: records the request, and stops the type.
struct SchemaProbeValue: SingleValueDecodingContainer {
  let probe: SchemaProbe
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try stop(type) }
  func decode(_ type: Bool.Type) throws -> Bool { try stop(type) }
  func decode(_ type: String.Type) throws -> String { try stop(type) }
  func decode(_ type: Double.Type) throws -> Double { try stop(type) }
  func decode(_ type: Float.Type) throws -> Float { try stop(type) }
  func decode(_ type: Int.Type) throws -> Int { try stop(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try stop(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try stop(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try stop(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try stop(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try stop(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try stop(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try stop(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try stop(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try stop(type) }

  private func stop<T: Decodable>(_ type: T.Type) throws -> T {
    if probe.finding == nil { probe.finding = .single(type) }
    throw SchemaProbe.Stop()
  }
}

/// A container for members: records the first request, and stops the type.
struct SchemaProbeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: SchemaProbe
  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] { probe.only.flatMap { Key(stringValue: $0) }.map { [$0] } ?? [] }

  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool { false }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try stop(type, key) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    probe.record {
      $0.hasNested = true
      $0.nested = SchemaProbe.names(type)
    }
    throw SchemaProbe.Stop()
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw SchemaProbe.Stop()
  }

  func superDecoder() throws -> any Decoder { throw SchemaProbe.Stop() }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw SchemaProbe.Stop() }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try stop(type, key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try stop(type, key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try stop(type, key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try stop(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try stop(type, key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try stop(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try stop(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try stop(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try stop(type, key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try stop(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try stop(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try stop(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try stop(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try stop(type, key) }

  private func stop<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    probe.record { $0.first = (key.stringValue, type) }
    throw SchemaProbe.Stop()
  }
}
