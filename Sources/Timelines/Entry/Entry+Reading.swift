public import JSONCore

extension Entry {
  /// Reads a line, and checks every rule that does not depend on other entries.
  ///
  /// ``Timeline/append(_:)`` checks the rules that depend on earlier entries.
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

  /// Reads a validated object in a message. The entry shares its text.
  public init(reading line: JSONSlice) throws(EntryError) {
    guard line.kind == .object else { throw EntryError(.notAnObject, at: 0) }
    guard line.range.count <= Int(UInt32.max) else {
      throw EntryError(.tooLong, at: Int(UInt32.max))
    }
    let places = EntryPlaces(of: line)
    // A validated string has no raw line break, so any line break is between values.
    if let index = places.lineBreak { throw EntryError(.lineBreak, at: index) }
    let (starts, ends) = (places.starts, places.ends)
    let unnumbered = Entry(line: line, seq: -1, t: -1, starts: starts, ends: ends)
    let (seq, t): (Int64, Int64)
    if let plain = places.seq { seq = plain } else { seq = try EntryRules(unnumbered).count(.seq) }
    if let plain = places.t {
      t = plain
    } else {
      t = try EntryRules(unnumbered, seq: seq).count(.t)
    }
    self.init(line: line, seq: seq, t: t, starts: starts, ends: ends)
    try EntryRules(self, seq: seq).check(places)
  }
}
