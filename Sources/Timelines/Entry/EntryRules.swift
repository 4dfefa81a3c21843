import JSONCore

/// The rules that do not depend on other entries.
struct EntryRules {
  private let entry: Entry
  private let seq: Int64?

  /// The rules for an entry, whose seq is set once it was read.
  init(_ entry: Entry, seq: Int64? = nil) {
    self.entry = entry
    self.seq = seq
  }

  /// Checks everything but `seq` and `t`.
  ///
  /// - Parameter places: The places of the values.
  func check(_ places: EntryPlaces) throws(EntryError) {
    try checkCount(.ns)
    try checkCount(.was)
    try checkCount(.omitted)
    try checkString(.origin)
    try checkString(.at)
    try checkString(.error)
    if !places.isPatchPlain, let slice = entry[.patch] { try checkPatch(slice, .patch) }
    if !places.areOutputsPlain, let slice = entry[.outputs] { try checkPatch(slice, .outputs) }
    if let slice = entry[.outputState], slice.kind != .object {
      throw expected("an object", .outputState, slice)
    }
    if let slice = entry[.jump], slice.bool != true { throw expected("true", .jump, slice) }
    try checkCause()
    try checkGap()
    try checkRestored()
    try checkRedacted()
    try checkCompany()
  }

  private func checkCount(_ key: EntryKey) throws(EntryError) {
    guard let slice = entry[key], !slice.isPlainCount else { return }
    _ = try count(key)
  }

  private func checkString(_ key: EntryKey) throws(EntryError) {
    if let slice = entry[key], slice.kind != .string { throw expected("a string", key, slice) }
  }

  /// A nonnegative integer.
  func count(_ key: EntryKey) throws(EntryError) -> Int64 {
    guard let slice = entry[key] else { throw error(.missing, key) }
    guard let value = slice.int, value >= 0 else {
      throw expected("an integer from 0 to \(Int64.max)", key, slice)
    }
    return value
  }

  /// Checks which keys may occur together.
  private func checkCompany() throws(EntryError) {
    let isStateGiven = entry.isFixedPoint
    try require(.event, unless: isStateGiven || entry.seq == 0)
    if entry.seq == 0 {
      if entry.has(.event) { throw error(.notInEntryZero, .event) }
      try needs(.patch, .state)
    }
    if isStateGiven {
      let key = entry.has(.restored) ? EntryKey.restored : .jump
      if entry.has(.event) { throw error(.excludes(key.text), .event) }
      try needs(key, .state)
    }
    try excludes(.jump, .restored)
    try needs(.outputState, .state)
    try needs(.outputs, .patch)
    try excludes(.omitted, .state)
    try excludes(.omitted, .patch)
  }

  private func require(_ key: EntryKey, unless isExempt: Bool) throws(EntryError) {
    if !isExempt, !entry.has(key) { throw error(.missing, key) }
  }

  private func needs(_ key: EntryKey, _ other: EntryKey) throws(EntryError) {
    if entry.has(key), !entry.has(other) { throw error(.needs(other.text), key) }
  }

  private func excludes(_ key: EntryKey, _ other: EntryKey) throws(EntryError) {
    if entry.has(key), entry.has(other) { throw error(.excludes(other.text), key) }
  }

  private func checkCause() throws(EntryError) {
    guard let slice = entry[.cause] else { return }
    switch entry.cause {
    case .here(let cause):
      guard cause >= 0, cause < entry.seq else { throw error(.causeNotEarlier, .cause, at: slice) }
    case .elsewhere: break
    case nil: throw expected("a seq or \"<timeline>:<seq>\"", .cause, slice)
    }
  }

  private func checkGap() throws(EntryError) {
    guard let slice = entry[.gap] else { return }
    let form = "an object with 'lost', an integer from 1 on, and 'why', a string"
    guard let lost = slice["lost"]?.int, lost >= 1, slice["why"]?.kind == .string else {
      throw expected(form, .gap, slice)
    }
    guard lost <= entry.seq else { throw error(.lostTooMany, .gap, at: slice) }
  }

  private func checkRestored() throws(EntryError) {
    guard let slice = entry[.restored] else { return }
    guard let restored = entry.restored, restored.seq >= 0 else {
      throw expected(
        "an object with 'timeline', a UUID, and 'seq', an integer from 0 on", .restored, slice)
    }
  }

  private func checkRedacted() throws(EntryError) {
    guard let slice = entry[.redacted] else { return }
    let form = "an object with a string for each pointer into event, state, outputs or error"
    guard slice.kind == .object else { throw expected(form, .redacted, slice) }
    for member in slice.members {
      guard let pointer = try? Pointer(member.key),
        ["event", "state", "outputs", "error"].contains(pointer.tokens.first)
      else { throw expected(form, .redacted, member.name) }
      guard member.value.kind == .string else { throw expected(form, .redacted, member.value) }
    }
  }

  private func checkPatch(_ slice: JSONSlice, _ key: EntryKey) throws(EntryError) {
    guard slice.kind == .array else { throw expected("an array of operations", key, slice) }
    for operation in slice.elements {
      guard let name = operation["op"]?.string else {
        throw expected("an array of objects with 'op', a string", key, operation)
      }
      guard ["add", "remove", "replace"].contains(name) else {
        throw error(.operation(name), key, at: operation)
      }
      guard let path = operation["path"], Self.isPointer(path) else {
        throw expected("an array of operations whose 'path' is a pointer", key, operation)
      }
      guard name == "remove" || operation["value"] != nil else {
        throw expected("an array of operations with a 'value' to \(name)", key, operation)
      }
    }
  }

  /// Whether a string is a pointer; does not build the string if it has no escapes.
  private static func isPointer(_ slice: JSONSlice) -> Bool {
    guard slice.kind == .string else { return false }
    let text = slice.bytes.dropFirst().dropLast()
    guard !text.contains(UInt8(ascii: "\\")), !text.contains(UInt8(ascii: "~")) else {
      return slice.string.map { (try? Pointer($0)) != nil } ?? false
    }
    return text.isEmpty || text.first == UInt8(ascii: "/")
  }

  private func expected(_ what: String, _ key: EntryKey, _ slice: JSONSlice) -> EntryError {
    error(.expected(what), key, at: slice)
  }

  private func error(
    _ reason: EntryError.Reason, _ key: EntryKey, at slice: JSONSlice? = nil
  ) -> EntryError {
    let place = (slice ?? entry[key] ?? entry.line).range.lowerBound
    return EntryError(
      reason, key: key.text, seq: seq, at: place - entry.line.range.lowerBound)
  }
}
