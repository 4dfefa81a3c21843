import JSONCore

/// Builds an entry and writes its line.
///
/// The machine's values must be JSON, each on one line, and are copied verbatim. Keys are written in
/// the order of the entry table.
///
/// ```swift
/// var batch: [UInt8] = []
/// var draft = EntryDraft(seq: 7, t: 52_811)
/// draft.event = Array(#""flipped""#.utf8)[...]
/// draft.patch = Array(#"[{"op":"replace","path":"/flips","value":4}]"#.utf8)[...]
/// draft.write(to: &batch)
/// ```
public struct EntryDraft: Hashable, Sendable {
  /// The number of the entry.
  public var seq: Int64
  /// Microseconds since the timeline's start.
  public var t: Int64
  /// The event as JSON.
  public var event: ArraySlice<UInt8>?
  /// The full state as JSON, which makes the entry a keyframe.
  public var state: ArraySlice<UInt8>?
  /// The full outputs as JSON.
  public var outputState: ArraySlice<UInt8>?
  /// The patch of the state as JSON.
  public var patch: ArraySlice<UInt8>?
  /// The patch of the outputs as JSON.
  public var outputs: ArraySlice<UInt8>?
  /// The nanoseconds spent in the reducer.
  public var ns: Int64?
  /// The entry during which, or by whose effect, the event was sent.
  public var cause: EntryCause?
  /// Where the event came from.
  public var origin: EntryOrigin?
  /// The call site, `file:line`.
  public var at: String?
  /// The loss right before the entry.
  public var gap: Gap?
  /// The moment whose state replaced the live one.
  public var restored: EntryReference?
  /// Whether a reducer was called with a state that it had not returned.
  public var isJump = false
  /// The error that the reducer or a hook threw, or `trapped`.
  public var error: String?
  /// The entry of the parent that this one recomputes.
  public var was: Int64?
  /// The values that were replaced by stand-ins.
  public var redacted: [Redaction] = []
  /// The size of a state that was too long to send.
  public var omitted: Int64?

  /// Creates an entry with only a number and a time.
  public init(seq: Int64, t: Int64) {
    self.seq = seq
    self.t = t
  }

  /// Copies the parts of an entry, without unknown keys.
  public init(_ entry: Entry) {
    self.init(seq: entry.seq, t: entry.t)
    event = entry.event?.bytes
    state = entry.state?.bytes
    outputState = entry.outputState?.bytes
    patch = entry.patch?.bytes
    outputs = entry.outputs?.bytes
    ns = entry.ns
    cause = entry.cause
    origin = entry.origin
    at = entry.at
    gap = entry.gap
    restored = entry.restored
    isJump = entry.isJump
    error = entry.error
    was = entry.was
    redacted = entry.redacted
    omitted = entry.omitted
  }

  /// Removes the state, and keeps the event, time, cause, origin, and call site.
  ///
  /// - Precondition: The entry is not a fixed point, whose state cannot be computed.
  public mutating func thin() {
    precondition(restored == nil && !isJump, "the state of a fixed point cannot be removed")
    state = nil
    outputState = nil
    patch = nil
    outputs = nil
  }
}

extension EntryDraft {
  /// Appends the line, without a line feed.
  ///
  /// Does not validate the line; ``entry()`` does.
  public func write(to bytes: inout [UInt8]) {
    // The buffer is moved in and out, so that appending does not copy it.
    var text = JSONText(appendingTo: bytes.moveOut())
    text.object { text in
      text.member("seq", seq)
      text.member("t", t)
      text.member("event", raw: event)
      text.member("state", raw: state)
      text.member("outputState", raw: outputState)
      text.member("patch", raw: patch)
      text.member("outputs", raw: outputs)
      text.member("ns", ns)
      switch cause {
      case .here(let seq): text.member("cause", seq)
      case .elsewhere(let reference): text.member("cause", reference.text)
      case nil: break
      }
      text.member("origin", origin?.text)
      text.member("at", at)
      if let gap {
        text.member("gap") { text in
          text.member("lost", gap.lost)
          text.member("why", gap.why)
        }
      }
      if let restored { text.member("restored", restored) }
      if isJump { text.member("jump", raw: "true".utf8) }
      text.member("error", error)
      text.member("was", was)
      if !redacted.isEmpty {
        text.member("redacted") { text in
          for redaction in redacted { text.member(redaction.pointer.description, redaction.hash) }
        }
      }
      text.member("omitted", omitted)
    }
    bytes = text.bytes
  }

  /// The line, without a line feed.
  public var line: [UInt8] {
    let state = (state?.count ?? 0) + (outputState?.count ?? 0)
    let changes = (patch?.count ?? 0) + (outputs?.count ?? 0)
    var bytes: [UInt8] = []
    // 160 bytes are enough for the keys and numbers of a typical entry.
    bytes.reserveCapacity(160 + (event?.count ?? 0) + state + changes)
    write(to: &bytes)
    return bytes
  }

  /// The entry, with a validated line.
  public func entry() throws(EntryError) -> Entry {
    try Entry(reading: line)
  }
}

extension [UInt8] {
  fileprivate mutating func moveOut() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&self, &taken)
    return taken
  }
}
