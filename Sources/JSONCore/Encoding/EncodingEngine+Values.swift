extension EncodingEngine {
  /// Appends a value, in the way that its type requires.
  ///
  /// Safe: the address is that of `value`, of the type that `direct` is.
  @inline(__always)
  func encode<Value: Encodable>(_ value: Value) throws {
    if let direct = directTypes.find(Value.self) {
      try withUnsafePointer(to: value) { try direct.encode(at: UnsafeRawPointer($0), to: self) }
    } else {
      try encodeByItself(value)
    }
  }

  /// Encodes a value by its own `encode(to:)`.
  func encodeByItself<Value: Encodable>(_ value: Value) throws {
    let serial = lastSerial &+ 1
    if !treeTypes.isEmpty, treeTypes.contains(ObjectIdentifier(Value.self)) {
      return try encodeAsTree(value, serial)
    }
    let start = mark()
    do {
      try push()
      try value.encode(to: StreamEncoder(engine: EngineReference(self), serial: current))
      close(downTo: start.level + 1)
      if let failure { throw failure }
      guard !isOutOfTurn else { throw OutOfTurn() }
      closeTop()
    } catch {
      goBack(to: start)
      guard isOutOfTurn else { throw error }
      // A container of an outer value, which is then encoded as a tree with everything inside it.
      guard outOfTurn >= serial else { throw OutOfTurn() }
      outOfTurn = Self.inTurn
      try encodeAsTree(value, serial)
      treeTypes.insert(ObjectIdentifier(Value.self))
    }
  }

  /// Encodes a value as a tree; its frames have that serial and later ones.
  private func encodeAsTree<Value: Encodable>(_ value: Value, _ serial: Int) throws {
    defer {
      // A container that is out of turn here too belongs to a value that has already returned.
      if isOutOfTurn, outOfTurn >= serial { outOfTurn = Self.lost }
    }
    try encodeAsTree(value)
    if isOutOfTurn { throw OutOfTurn() }
  }

  // MARK: Members

  /// Writes the key of a member of the innermost frame. Returns false if the object already has it.
  @inline(__always)
  func beginMember(_ key: String) -> Bool {
    let start = out.count
    out.write(key)
    let hash = out.withBytes { Self.hash($0, from: start) }
    out.append(UInt8(ascii: ":"))
    guard memberKeys.insert(hash, base: frames[top].keyBase) else {
      recordOutOfTurn(current)
      return false
    }
    frames[top].count &+= 1
    return true
  }

  @inline(__always)
  func endMember() {
    out.append(UInt8(ascii: ","))
  }

  /// Encodes a member of the innermost frame; removes all of it on an error.
  @inline(__always)
  func encodeMember<Key: CodingKey, Value: Encodable>(_ value: Value, _ key: Key) throws {
    let start = mark()
    do {
      guard beginMember(key.stringValue) else { throw OutOfTurn() }
      try withUnsafePointer(to: key) {
        frames[top].edge = .borrowed(UnsafeRawPointer($0), Key.self)
        try encode(value)
      }
      endMember()
    } catch {
      goBack(to: start)
      frames[top].count = memberKeys.count - frames[top].keyBase
      throw error
    }
  }

  /// Encodes an element of the innermost frame; removes all of it on an error.
  @inline(__always)
  func encodeElement<Value: Encodable>(_ value: Value) throws {
    let start = mark()
    do {
      frames[top].edge = .index(frames[top].count)
      try encode(value)
      endMember()
      frames[top].count &+= 1
    } catch {
      goBack(to: start)
      throw error
    }
  }

  /// A hash of the bytes by words; good enough for a few keys, and a collision costs only time.
  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> UInt64 {
    guard let base = bytes.baseAddress else { return 0 }
    let raw = UnsafeRawPointer(base)
    // Odd constants from the digits of π (xxHash's and wyhash's are of the same kind).
    var hash: UInt64 = 0x243F_6A88_85A3_08D3
    var position = start
    let end = bytes.count
    while position &+ 8 <= end {
      hash =
        (hash ^ raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash &>> 29
      position &+= 8
    }
    var rest: UInt64 = 0
    while position < end {
      rest = rest &<< 8 | UInt64(base[position])
      position &+= 1
    }
    hash = (hash ^ rest ^ UInt64(truncatingIfNeeded: end &- start) &<< 56) &* 0x9E37_79B9_7F4A_7C15
    return hash ^ hash &>> 32
  }

  // MARK: Coding paths

  /// The path to the innermost open frame.
  func codingPath() -> [any CodingKey] { codingPath(to: top) }

  /// The path to the frame with that serial; empty if it is not open.
  func codingPath(ofSerial serial: Int) -> [any CodingKey] {
    var level = top
    while level > 0, frames[level].serial != serial { level -= 1 }
    return codingPath(to: level)
  }

  private func codingPath(to level: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    for index in 0..<level {
      switch frames[index].edge {
      case .none: break
      case .borrowed(let pointer, let type): path.append(Self.load(type, from: pointer))
      case .index(let index): path.append(IndexKey(index))
      case .owned(let place): path.append(ownedKeys[place])
      case .path(let place): path = ownedPaths[place]
      }
    }
    return path
  }

  private static func load<Key: CodingKey>(
    _ type: Key.Type, from pointer: UnsafeRawPointer
  ) -> any CodingKey {
    pointer.assumingMemoryBound(to: type).pointee
  }

  /// The number of elements or members of the frame with that serial.
  func count(ofSerial serial: Int) -> Int {
    var level = top
    while level > 0, frames[level].serial != serial { level -= 1 }
    return level > 0 ? frames[level].count : 0
  }
}

/// The key of an element: its index.
struct IndexKey: CodingKey {
  let index: Int

  init(_ index: Int) { self.index = index }
  init?(stringValue: String) { nil }
  init?(intValue: Int) { self.init(intValue) }

  var stringValue: String { "Index \(index)" }
  var intValue: Int? { index }
}

/// A key that is only a name, as `super` is.
struct NameKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// The key that `superEncoder()` uses.
  static let parent = NameKey(stringValue: "super")
}
