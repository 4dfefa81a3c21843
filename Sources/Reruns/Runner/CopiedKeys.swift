internal import JSONCore
internal import Timelines
internal import Wire

/// The parts of an entry that a host copies from the step, and must not change.
struct CopiedKeys {
  private let entry: Entry
  private let step: ToRecorder.ReduceStep?

  /// - Parameter step: the step that the entry answers; `nil` for entry 0, which answers none.
  init(_ entry: Entry, of step: ToRecorder.ReduceStep?) {
    self.entry = entry
    self.step = step
  }

  /// Checks that the entry has the values of its step.
  func check() throws(Refusal) {
    guard let key = changed() else { return }
    throw Refusal(
      .failed,
      """
      The host answered entry \(entry.seq) with another '\(key)' than its step has. To fix, have it \
      copy 'event', 'was', 't', 'cause', 'origin', and 'at' from the step.
      """)
  }

  /// The first key whose value differs from that of the step.
  private func changed() -> String? {
    if !hasSameEvent { return "event" }
    if entry.cause != step.flatMap(Self.cause(of:)) { return "cause" }
    if entry.origin?.text != step?.origin { return "origin" }
    if entry.at != step?.at { return "at" }
    // A given state is a jump; a host never restores, and loses nothing.
    if entry.isJump != (step.map { $0.event == nil } ?? false) { return "jump" }
    if entry.restored != nil { return "restored" }
    if entry.gap != nil { return "gap" }
    return nil
  }

  private static func cause(of step: ToRecorder.ReduceStep) -> EntryCause? {
    guard let cause = step.cause else { return nil }
    if let seq = cause.int { return .here(seq) }
    return cause.string.flatMap { EntryReference($0) }.map(EntryCause.elsewhere)
  }
}

// The event.
extension CopiedKeys {
  /// Whether the event is that of the step, except for what the host hid in it.
  private var hasSameEvent: Bool {
    switch (entry.event, step?.event) {
    case (nil, nil): return true
    case (let answered?, let sent?):
      if answered.bytes == sent.bytes || Self.isSameUndo(answered, sent) { return true }
      let hidden = Set(entry.redacted.compactMap { Self.place(inEvent: $0.pointer) })
      if hidden.isEmpty { return answered.value == sent.value }
      return Self.haveSameName(answered, sent, hiding: hidden)
        && Self.isSame(answered.value, sent.value, hiding: hidden, at: [])
    case (nil, _), (_, nil): return false
    }
  }

  private static func place(inEvent pointer: Pointer) -> Pointer? {
    guard pointer.tokens.first == "event" else { return nil }
    return Pointer(tokens: Array(pointer.tokens.dropFirst()))
  }

  /// The undo of a form names the entry of the branch that recomputes the one of the recording.
  private static func isSameUndo(_ answered: JSONSlice, _ sent: JSONSlice) -> Bool {
    answered.undone != nil && sent.undone != nil
      && Entry.name(of: answered) == Entry.name(of: sent)
  }

  private static func haveSameName(
    _ answered: JSONSlice, _ sent: JSONSlice, hiding hidden: Set<Pointer>
  ) -> Bool {
    let name = Entry.name(of: answered)
    return name == Entry.name(of: sent) || hidden.contains(.root)
      || name.map { hidden.contains(Pointer(tokens: [$0])) } ?? false
  }

  /// Whether two values are the same, where one has hidden parts.
  ///
  /// A host that hides a property writes the event again from the value that it decoded, so keys that
  /// only one of them has do not count.
  private static func isSame(
    _ answered: JSON, _ sent: JSON, hiding hidden: Set<Pointer>, at path: [String]
  ) -> Bool {
    if answered == sent || hidden.contains(Pointer(tokens: path)) { return true }
    switch (answered, sent) {
    case (.array(let answered), .array(let sent)):
      return answered.count == sent.count
        && zip(answered, sent).enumerated().allSatisfy { index, pair in
          isSame(pair.0, pair.1, hiding: hidden, at: path + ["\(index)"])
        }
    case (.object(let answered), .object(let sent)):
      return answered.allSatisfy { key, value in
        sent[key].map { isSame(value, $0, hiding: hidden, at: path + [key]) } ?? true
      }
    default: return false
    }
  }
}
