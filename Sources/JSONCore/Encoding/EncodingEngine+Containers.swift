// The operations that stream containers call, each for the frame with its serial.

extension EncodingEngine {
  /// Makes the frame an array or object if it is not one yet. Returns the serial, or `refused`.
  @inline(__always)
  func openFrame(_ serial: Int, as kind: EncodingFrame.Kind) -> Int {
    guard enter(serial) else { return Self.refused }
    if frames[top].kind == kind { return serial }
    guard frames[top].kind == .empty else {
      // Both an array and an object: the tree produces the error.
      recordOutOfTurn(serial)
      return Self.refused
    }
    return open(kind) ? serial : Self.refused
  }

  // MARK: Members

  /// Writes the key; the value and `endMember` follow.
  @inline(__always)
  func beginMember(_ key: some CodingKey, _ serial: Int) throws {
    guard enter(serial), beginMember(key.stringValue) else { throw refusal(of: serial) }
  }

  @inline(__always)
  func writeMember(
    _ key: some CodingKey, _ serial: Int, _ write: (inout JSONWriter) -> Void
  ) throws {
    try beginMember(key, serial)
    write(&out)
    endMember()
  }

  /// Opens a frame under a key. Returns its serial, or `refused`.
  func nestMember(_ key: some CodingKey, _ serial: Int, as kind: EncodingFrame.Kind) -> Int {
    guard enter(serial), beginMember(key.stringValue) else { return Self.refused }
    return nest(key, as: kind)
  }

  // MARK: Elements

  /// Counts the element that follows.
  @inline(__always)
  func beginElement(_ serial: Int) throws {
    guard enter(serial) else { throw refusal(of: serial) }
    frames[top].count &+= 1
  }

  @inline(__always)
  func writeElement(_ serial: Int, _ write: (inout JSONWriter) -> Void) throws {
    try beginElement(serial)
    write(&out)
    endMember()
  }

  /// Opens a frame for an element. Returns its serial, or `refused`.
  func nestElement(_ serial: Int, as kind: EncodingFrame.Kind) -> Int {
    guard enter(serial) else { return Self.refused }
    let index = frames[top].count
    frames[top].count &+= 1
    return nest(IndexKey(index), as: kind)
  }

  // MARK: Single values

  @inline(__always)
  func beginSingle(_ serial: Int) throws {
    guard enter(serial) else { throw refusal(of: serial) }
    guard frames[top].kind == .empty else {
      recordOutOfTurn(serial)
      throw refusal(of: serial)
    }
    frames[top].kind = .single
  }

  @inline(__always)
  func writeSingle(_ serial: Int, _ write: (inout JSONWriter) -> Void) throws {
    try beginSingle(serial)
    write(&out)
  }

  /// Encodes the frame's single value; removes all of it on an error.
  func encodeSingle<Value: Encodable>(_ value: Value, _ serial: Int) throws {
    try beginSingle(serial)
    let start = mark()
    do {
      frames[top].edge = .none
      try encode(value)
    } catch {
      goBack(to: start)
      frames[top].kind = .empty
      throw error
    }
  }

  /// Opens a frame for a nested container; it writes a comma when it closes.
  private func nest(_ key: any CodingKey, as kind: EncodingFrame.Kind) -> Int {
    frames[top].edge = .owned(ownedKeys.count)
    ownedKeys.append(key)
    pushUnchecked()
    frames[top].isNested = true
    let serial = current
    if kind != .empty { guard open(kind) else { return Self.refused } }
    return serial
  }
}
