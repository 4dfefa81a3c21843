public import JSONCore

extension Entry {
  /// Reads a line, and checks it against every rule that one entry can break alone.
  ///
  /// What needs the entries before it is checked by ``Timeline/append(_:)``.
  public init(
    reading bytes: [UInt8], limits: JSONLimits = .standard
  ) throws(EntryError) {
    let line: JSONSlice
    do {
      line = try JSONSlice(validating: bytes, limits: limits)
    } catch {
      throw EntryError(.json(error.reason), at: error.offset)
    }
    try self.init(reading: line)
  }

  /// Reads a line from text.
  public init(
    reading text: String, limits: JSONLimits = .standard
  ) throws(EntryError) {
    try self.init(reading: Array(text.utf8), limits: limits)
  }

  /// Reads an object that was checked already, as part of a message; its text is shared.
  public init(reading line: JSONSlice) throws(EntryError) {
    guard line.kind == .object else { throw EntryError(.notAnObject, at: 0) }
    guard line.range.count <= Int(UInt32.max) else {
      throw EntryError(.tooLong, at: Int(UInt32.max))
    }
    // A validated string has no raw line break, so that any is between the values.
    let bytes = line.bytes
    if let index = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      throw EntryError(.lineBreak, at: index - bytes.startIndex)
    }
    let base = line.range.lowerBound
    var starts = SIMD16<UInt32>()
    var ends = SIMD16<UInt32>()
    var previous: EntryKey?
    for member in line.members {
      guard let key = EntryKey.of(member, after: previous) else { continue }
      previous = key
      guard let place = key.place else { continue }
      starts[place] = UInt32(truncatingIfNeeded: member.value.range.lowerBound - base)
      ends[place] = UInt32(truncatingIfNeeded: member.value.range.upperBound - base)
    }
    let unnumbered = Entry(line: line, seq: -1, t: -1, starts: starts, ends: ends)
    let seq = try EntryRules(unnumbered).count(.seq)
    let t = try EntryRules(unnumbered, seq: seq).count(.t)
    self.init(line: line, seq: seq, t: t, starts: starts, ends: ends)
    try EntryRules(self, seq: seq).check()
  }
}
