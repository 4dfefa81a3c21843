/// A container's reference to its engine.
struct EngineReference {
  // Safe: engines are never released (see EncodingEngine), so the reference needs no count.
  // Counting took a tenth of the time even with `unowned(unsafe)`.
  private let reference: Unmanaged<EncodingEngine>

  init(_ engine: EncodingEngine) {
    reference = .passUnretained(engine)
  }

  /// Lends the engine.
  @inline(__always)
  func callAsFunction<R>(_ body: (EncodingEngine) throws -> R) rethrows -> R {
    try reference._withUnsafeGuaranteedRef(body)
  }
}

/// The encoder that values receive: a frame of the engine.
struct StreamEncoder: Encoder {
  let engine: EngineReference
  let serial: Int

  var codingPath: [any CodingKey] { engine { $0.codingPath(ofSerial: serial) } }
  var userInfo: [CodingUserInfoKey: Any] { engine { $0.userInfo as [CodingUserInfoKey: Any] } }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    let serial = engine { $0.openFrame(self.serial, as: .keyed) }
    return KeyedEncodingContainer(StreamKeyedContainer<Key>(engine: engine, serial: serial))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let serial = engine { $0.openFrame(self.serial, as: .unkeyed) }
    return StreamUnkeyedContainer(engine: engine, serial: serial)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    StreamSingleValueContainer(engine: engine, serial: serial)
  }
}

/// Members of an object, written immediately.
struct StreamKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let engine: EngineReference
  let serial: Int

  var codingPath: [any CodingKey] { engine { $0.codingPath(ofSerial: serial) } }

  func encodeNil(forKey key: Key) throws {
    try engine { try $0.writeMember(key, serial) { $0.writeNull() } }
  }

  func encode(_ value: String, forKey key: Key) throws {
    try engine { engine in
      try engine.beginMember(key, serial)
      engine.writeOrOmit(value)
      engine.endMember()
    }
  }

  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value, forKey key: Key) throws {
    try engine { try $0.writeMember(key, serial) { $0.write(value) } }
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    try engine { try $0.writeMember(key, serial) { $0.write(value) } }
  }

  func encode(_ value: Double, forKey key: Key) throws {
    try engine { try $0.writeMember(key, serial) { $0.write(value) } }
  }

  func encode(_ value: Float, forKey key: Key) throws {
    try engine { try $0.writeMember(key, serial) { $0.write(value) } }
  }

  // The standard library's default implementations of these throw.
  func encode(_ value: Int128, forKey key: Key) throws {
    try engine { try $0.writeMember(key, serial) { $0.write(value) } }
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    try engine { try $0.writeMember(key, serial) { $0.write(value) } }
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try engine { engine in
      guard engine.enter(serial) else { throw engine.refusal(of: serial) }
      try engine.encodeMember(value, key)
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    let serial = engine { $0.nestMember(key, self.serial, as: .keyed) }
    return KeyedEncodingContainer(StreamKeyedContainer<NestedKey>(engine: engine, serial: serial))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    let serial = engine { $0.nestMember(key, self.serial, as: .unkeyed) }
    return StreamUnkeyedContainer(engine: engine, serial: serial)
  }

  func superEncoder() -> any Encoder {
    let serial = engine { $0.nestMember(NameKey.parent, self.serial, as: .empty) }
    return StreamEncoder(engine: engine, serial: serial)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    let serial = engine { $0.nestMember(key, self.serial, as: .empty) }
    return StreamEncoder(engine: engine, serial: serial)
  }
}

/// Elements of an array, written immediately.
struct StreamUnkeyedContainer: UnkeyedEncodingContainer {
  let engine: EngineReference
  let serial: Int

  var codingPath: [any CodingKey] { engine { $0.codingPath(ofSerial: serial) } }
  var count: Int { engine { $0.count(ofSerial: serial) } }

  func encodeNil() throws {
    try engine { try $0.writeElement(serial) { $0.writeNull() } }
  }

  func encode(_ value: String) throws {
    try engine { engine in
      try engine.beginElement(serial)
      engine.writeOrOmit(value)
      engine.endMember()
    }
  }

  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
    try engine { try $0.writeElement(serial) { $0.write(value) } }
  }

  func encode(_ value: Bool) throws {
    try engine { try $0.writeElement(serial) { $0.write(value) } }
  }

  func encode(_ value: Double) throws {
    try engine { try $0.writeElement(serial) { $0.write(value) } }
  }

  func encode(_ value: Float) throws {
    try engine { try $0.writeElement(serial) { $0.write(value) } }
  }

  func encode(_ value: Int128) throws {
    try engine { try $0.writeElement(serial) { $0.write(value) } }
  }

  func encode(_ value: UInt128) throws {
    try engine { try $0.writeElement(serial) { $0.write(value) } }
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try engine { engine in
      guard engine.enter(serial) else { throw engine.refusal(of: serial) }
      try engine.encodeElement(value)
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    let serial = engine { $0.nestElement(self.serial, as: .keyed) }
    return KeyedEncodingContainer(StreamKeyedContainer<NestedKey>(engine: engine, serial: serial))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    let serial = engine { $0.nestElement(self.serial, as: .unkeyed) }
    return StreamUnkeyedContainer(engine: engine, serial: serial)
  }

  func superEncoder() -> any Encoder {
    let serial = engine { $0.nestElement(self.serial, as: .empty) }
    return StreamEncoder(engine: engine, serial: serial)
  }
}

/// A single value, written in place of the value that encodes it.
struct StreamSingleValueContainer: SingleValueEncodingContainer {
  let engine: EngineReference
  let serial: Int

  var codingPath: [any CodingKey] { engine { $0.codingPath(ofSerial: serial) } }

  func encodeNil() throws {
    try engine { try $0.writeSingle(serial) { $0.writeNull() } }
  }

  func encode(_ value: String) throws {
    try engine { engine in
      try engine.beginSingle(serial)
      engine.writeOrOmit(value)
    }
  }

  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
    try engine { try $0.writeSingle(serial) { $0.write(value) } }
  }

  func encode(_ value: Bool) throws {
    try engine { try $0.writeSingle(serial) { $0.write(value) } }
  }

  func encode(_ value: Double) throws {
    try engine { try $0.writeSingle(serial) { $0.write(value) } }
  }

  func encode(_ value: Float) throws {
    try engine { try $0.writeSingle(serial) { $0.write(value) } }
  }

  func encode(_ value: Int128) throws {
    try engine { try $0.writeSingle(serial) { $0.write(value) } }
  }

  func encode(_ value: UInt128) throws {
    try engine { try $0.writeSingle(serial) { $0.write(value) } }
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try engine { try $0.encodeSingle(value, serial) }
  }
}
