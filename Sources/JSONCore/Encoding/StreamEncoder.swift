/// The encoder that values see: a frame of the engine.
struct StreamEncoder: Encoder {
  // Safe: engines live for ever, so the reference needs no count (see EncodingEngine).
  unowned(unsafe) let engine: EncodingEngine
  let serial: Int

  var codingPath: [any CodingKey] { engine.codingPath(ofSerial: serial) }
  var userInfo: [CodingUserInfoKey: Any] { engine.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      StreamKeyedContainer<Key>(engine: engine, serial: engine.openFrame(serial, as: .keyed)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    StreamUnkeyedContainer(engine: engine, serial: engine.openFrame(serial, as: .unkeyed))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    StreamSingleValueContainer(engine: engine, serial: serial)
  }
}

extension EncodingEngine {
  /// Makes the frame an array or object, unless it is one already. The serial, or `refused`.
  @inline(__always)
  func openFrame(_ serial: Int, as kind: EncodingFrame.Kind) -> Int {
    guard enter(serial) else { return EncodingEngine.refused }
    if frames[top].kind == kind { return serial }
    guard frames[top].kind == .empty else {
      // Both an array and an object: the tree knows what to say.
      isOutOfTurn = true
      return Self.refused
    }
    return open(kind) ? serial : Self.refused
  }
}

/// Members of an object, written as they come.
struct StreamKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  // Safe: engines live for ever.
  unowned(unsafe) let engine: EncodingEngine
  let serial: Int

  var codingPath: [any CodingKey] { engine.codingPath(ofSerial: serial) }

  /// Writes the key; the value and `endMember` follow.
  @inline(__always)
  private func begin(_ key: Key) throws {
    guard engine.enter(serial), engine.beginMember(key.stringValue) else { throw engine.refusal() }
  }

  func encodeNil(forKey key: Key) throws {
    try begin(key)
    engine.out.writeNull()
    engine.endMember()
  }

  func encode(_ value: Bool, forKey key: Key) throws {
    try begin(key)
    engine.out.write(value)
    engine.endMember()
  }

  func encode(_ value: String, forKey key: Key) throws {
    try begin(key)
    engine.writeOrLeaveOut(value)
    engine.endMember()
  }

  func encode(_ value: Double, forKey key: Key) throws {
    try begin(key)
    engine.out.write(value)
    engine.endMember()
  }

  func encode(_ value: Float, forKey key: Key) throws {
    try begin(key)
    engine.out.write(value)
    engine.endMember()
  }

  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value, forKey key: Key) throws {
    try begin(key)
    engine.out.write(value)
    engine.endMember()
  }

  // The standard library has witnesses of its own for these, which throw.
  func encode(_ value: Int128, forKey key: Key) throws {
    try begin(key)
    engine.out.write(value)
    engine.endMember()
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    try begin(key)
    engine.out.write(value)
    engine.endMember()
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    guard engine.enter(serial) else { throw engine.refusal() }
    try engine.encodeMember(value, key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(
      StreamKeyedContainer<NestedKey>(engine: engine, serial: nest(key, as: .keyed)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    StreamUnkeyedContainer(engine: engine, serial: nest(key, as: .unkeyed))
  }

  func superEncoder() -> any Encoder {
    StreamEncoder(engine: engine, serial: nest(NameKey.parent, as: .empty))
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    StreamEncoder(engine: engine, serial: nest(key, as: .empty))
  }

  /// Opens a frame under a key. Its serial, or `refused`.
  private func nest(_ key: some CodingKey, as kind: EncodingFrame.Kind) -> Int {
    guard engine.enter(serial), engine.beginMember(key.stringValue) else {
      return EncodingEngine.refused
    }
    return engine.nest(key, as: kind)
  }
}

extension EncodingEngine {
  /// Opens a frame that a container hands out; the comma is written when it closes.
  func nest(_ key: any CodingKey, as kind: EncodingFrame.Kind) -> Int {
    pushNested(key: key)
    let serial = current
    if kind != .empty { guard open(kind) else { return EncodingEngine.refused } }
    return serial
  }
}

/// Elements of an array, written as they come.
struct StreamUnkeyedContainer: UnkeyedEncodingContainer {
  // Safe: engines live for ever.
  unowned(unsafe) let engine: EncodingEngine
  let serial: Int

  var codingPath: [any CodingKey] { engine.codingPath(ofSerial: serial) }
  var count: Int { engine.count(ofSerial: serial) }

  @inline(__always)
  private func begin() throws {
    guard engine.enter(serial) else { throw engine.refusal() }
    engine.frames[engine.top].count &+= 1
  }

  func encodeNil() throws {
    try begin()
    engine.out.writeNull()
    engine.endMember()
  }

  func encode(_ value: Bool) throws {
    try begin()
    engine.out.write(value)
    engine.endMember()
  }

  func encode(_ value: String) throws {
    try begin()
    engine.writeOrLeaveOut(value)
    engine.endMember()
  }

  func encode(_ value: Double) throws {
    try begin()
    engine.out.write(value)
    engine.endMember()
  }

  func encode(_ value: Float) throws {
    try begin()
    engine.out.write(value)
    engine.endMember()
  }

  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
    try begin()
    engine.out.write(value)
    engine.endMember()
  }

  func encode(_ value: Int128) throws {
    try begin()
    engine.out.write(value)
    engine.endMember()
  }

  func encode(_ value: UInt128) throws {
    try begin()
    engine.out.write(value)
    engine.endMember()
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    guard engine.enter(serial) else { throw engine.refusal() }
    try engine.encodeElement(value)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(
      StreamKeyedContainer<NestedKey>(engine: engine, serial: nest(as: .keyed)))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    StreamUnkeyedContainer(engine: engine, serial: nest(as: .unkeyed))
  }

  func superEncoder() -> any Encoder {
    StreamEncoder(engine: engine, serial: nest(as: .empty))
  }

  private func nest(as kind: EncodingFrame.Kind) -> Int {
    guard engine.enter(serial) else { return EncodingEngine.refused }
    let index = engine.frames[engine.top].count
    engine.frames[engine.top].count &+= 1
    return engine.nest(IndexKey(index), as: kind)
  }
}

/// One value, written in the place of the value that asks.
struct StreamSingleValueContainer: SingleValueEncodingContainer {
  // Safe: engines live for ever.
  unowned(unsafe) let engine: EncodingEngine
  let serial: Int

  var codingPath: [any CodingKey] { engine.codingPath(ofSerial: serial) }

  @inline(__always)
  private func begin() throws {
    guard engine.enter(serial) else { throw engine.refusal() }
    guard engine.frames[engine.top].kind == .empty else {
      engine.isOutOfTurn = true
      throw engine.refusal()
    }
    engine.frames[engine.top].kind = .single
  }

  func encodeNil() throws {
    try begin()
    engine.out.writeNull()
  }

  func encode(_ value: Bool) throws {
    try begin()
    engine.out.write(value)
  }

  func encode(_ value: String) throws {
    try begin()
    engine.writeOrLeaveOut(value)
  }

  func encode(_ value: Double) throws {
    try begin()
    engine.out.write(value)
  }

  func encode(_ value: Float) throws {
    try begin()
    engine.out.write(value)
  }

  func encode<Value: FixedWidthInteger & Encodable>(_ value: Value) throws {
    try begin()
    engine.out.write(value)
  }

  func encode(_ value: Int128) throws {
    try begin()
    engine.out.write(value)
  }

  func encode(_ value: UInt128) throws {
    try begin()
    engine.out.write(value)
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    try begin()
    let start = engine.mark()
    do {
      engine.frames[engine.top].edge = .none
      try engine.encode(value)
    } catch {
      engine.goBack(to: start)
      engine.frames[engine.top].kind = .empty
      throw error
    }
  }
}
