public import JSONCore
public import Timelines

/// Writes states and outputs into entries: as patches, and as full values where the keyframe rule
/// requires them.
///
/// A value type that keeps the previous entry's state.
///
/// ```swift
/// var writer = EntryWriter<[Int]>(hasOutputs: false)
/// var first = EntryDraft(seq: 0, t: 0)
/// try writer.capture([1], [], into: &first)
/// var second = EntryDraft(seq: 1, t: 10)
/// second.event = Array(#"{"added":{}}"#.utf8)[...]
/// try writer.capture([1, 2], [], into: &second)
/// assert(second.patch != nil)
/// ```
///
/// It uses a `RedactedEncoder` for machines with redaction rules or `Redacted` properties.
public struct EntryWriter<State: Encodable> {
  /// Returns the event, given the patch of the state.
  typealias EventWriting = (ArraySlice<UInt8>?) throws -> ArraySlice<UInt8>

  private var states: IncrementalEncoder<State>
  private var outputs = OutputEncoder()
  private var redacted: RedactedEncoder<State>?
  private var rule = KeyframeRule()
  private var isBaseKnown = false
  private let hasOutputs: Bool
  private let encoder: CanonicalEncoder
  private let redaction: RedactionRules

  /// Creates a writer for a new timeline.
  ///
  /// `hasOutputs` is whether the machine can have outputs; otherwise keyframes do not include them.
  /// `redaction` is combined with the rules that the type of the state declares.
  public init(
    hasOutputs: Bool, encoder: CanonicalEncoder = CanonicalEncoder(),
    redaction: RedactionRules = []
  ) {
    self.hasOutputs = hasOutputs
    self.encoder = encoder
    self.redaction = redaction + RedactionRules(declaredBy: State.self)
    states = IncrementalEncoder(encoder: encoder)
    redacted = self.redaction.isEmpty ? nil : RedactedEncoder(self.redaction, encoder: encoder)
  }

  package var isRedacting: Bool { redacted != nil }

  /// The given rules and those that the state's type declares.
  package var redactionRules: RedactionRules { redaction }

  /// Which rules have matched; `nil` without redaction.
  package var ruleUse: RuleUse? { redacted?.ruleUse }

  /// Whether the memory for secrets is full, so that more than the secrets is hidden.
  package var hidesMoreThanSecrets: Bool { redacted?.secrets.isFull ?? false }

  /// The secrets so far, for another writer of the same machine.
  package var redactionMemory: RedactionMemory? {
    get { redacted.map { RedactionMemory(secrets: $0.secrets) } }
    set {
      guard let newValue else { return }
      if redacted == nil { redacted = RedactedEncoder(redaction, encoder: encoder) }
      redacted?.secrets = newValue.secrets
    }
  }

  /// Starts after a moment that already has an entry. The next entry has the changes since then, and
  /// is a keyframe.
  public mutating func load(
    _ state: State, _ outputs: @autoclosure () -> [RecordedOutput]
  ) throws {
    isBaseKnown = false
    rule = KeyframeRule()
    if redacted == nil {
      let count = RedactionMarks.redactedCount
      let encoder = encoder
      try states.start(state)
      self.outputs.start(outputs())
      beginRedacting(since: count) {
        _ = try? encoder.encode(state)
        _ = outputs()
      }
    }
    try redacted?.start(state, outputs)
    isBaseKnown = true
  }

  /// Writes the state and the outputs after an entry's event into the draft.
  ///
  /// A draft that is marked as restored or as a jump becomes a keyframe. Throws if the state cannot be
  /// encoded; the entry can still be written thinned.
  public mutating func capture(
    _ state: State, _ values: @autoclosure () -> [RecordedOutput], into draft: inout EntryDraft
  ) throws {
    try capture(state, values, event: nil, into: &draft)
  }

  /// Also writes the event, which may depend on the patch.
  mutating func capture(
    _ state: State, _ values: () -> [RecordedOutput], event: EventWriting?,
    into draft: inout EntryDraft
  ) throws {
    let wasBaseKnown = isBaseKnown
    isBaseKnown = false
    do {
      if redacted == nil {
        let count = RedactionMarks.redactedCount
        let encoder = encoder
        var plain = draft
        try capturePlainly(state, values, event, wasBaseKnown, into: &plain)
        beginRedacting(since: count) {
          _ = try? encoder.encode(state)
          _ = values()
          _ = try? event?(nil)
        }
        if redacted == nil { draft = plain }
      }
      if redacted != nil {
        try captureRedacted(state, values, event, wasBaseKnown, into: &draft)
      }
    } catch {
      // No entry has the state that the encoder may have advanced to.
      rule.thinned()
      throw error
    }
    isBaseKnown = true
  }

  /// Writes the event of an entry whose state was not captured. The next captured entry is a keyframe.
  mutating func captureThinned(_ event: EventWriting, into draft: inout EntryDraft) throws {
    thinned()
    if redacted == nil {
      let count = RedactionMarks.redactedCount
      let plain = try event(nil)
      beginRedacting(since: count) { _ = try? event(nil) }
      if redacted == nil { draft.event = plain }
    }
    try redacted?.captureThinned(event, into: &draft)
  }

  private mutating func capturePlainly(
    _ state: State, _ values: () -> [RecordedOutput], _ event: EventWriting?, _ wasBaseKnown: Bool,
    into draft: inout EntryDraft
  ) throws {
    var full: [UInt8]?
    if wasBaseKnown {
      draft.patch = try states.advance(to: state).patch[...]
      draft.outputs = outputs.advance(to: values()).map { $0[...] }
    } else {
      full = try states.start(state)
      outputs.start(values())
    }
    if let event { draft.event = try event(draft.patch) }
    let states = states
    try finish(&draft, wasBaseKnown, stateBytes: states.byteCount, outputs) {
      try full ?? states.fullBytes()
    }
  }

  private mutating func captureRedacted(
    _ state: State, _ values: () -> [RecordedOutput], _ event: EventWriting?, _ wasBaseKnown: Bool,
    into draft: inout EntryDraft
  ) throws {
    guard var encoder = redacted else { return }
    redacted = nil
    defer { redacted = encoder }
    let recorded = draft.event
    try encoder.capture(
      state, values, event ?? recorded.map { event in { _ in event } }, wasBaseKnown, into: &draft)
    try finish(&draft, wasBaseKnown, stateBytes: encoder.byteCount, encoder.outputs) {
      encoder.bytes
    }
  }

  /// Makes the entry a keyframe if required.
  private mutating func finish(
    _ draft: inout EntryDraft, _ wasBaseKnown: Bool, stateBytes: Int, _ outputs: OutputEncoder,
    full: () throws -> [UInt8]
  ) throws {
    let isGiven = draft.restored != nil || draft.isJump
    let patchBytes = (draft.patch?.count ?? 0) + (draft.outputs?.count ?? 0)
    let outputBytes = hasOutputs ? outputs.bytes : nil
    let isKeyframe = rule.captured(
      patchBytes: isGiven || !wasBaseKnown ? nil : patchBytes,
      snapshotBytes: stateBytes + (outputBytes?.count ?? 0))
    guard isKeyframe || isGiven || !wasBaseKnown else { return }
    draft.state = try full()[...]
    draft.outputState = outputBytes.map { $0[...] }
  }

  /// Starts redacting if `Redacted` properties were encoded in this step, and not only elsewhere in
  /// the process.
  private mutating func beginRedacting(since count: Int, encoding: () -> Void) {
    guard RedactionMarks.redactedCount != count, Redactor.leavesMarks(encoding) else { return }
    redacted = RedactedEncoder(redaction, encoder: encoder)
  }

  /// Advances to the next state, and returns whether an entry has the same changes, byte for byte.
  ///
  /// Never requires a keyframe; the next written entry is one.
  mutating func confirms(
    _ entry: Entry, _ state: State, _ values: @autoclosure () -> [RecordedOutput]
  ) throws -> Bool {
    guard isBaseKnown else { return false }
    rule.thinned()
    if redacted != nil {
      var draft = EntryDraft(seq: entry.seq, t: entry.t)
      draft.event = entry.event?.bytes
      try capture(state, values(), into: &draft)
      return entry.confirms(patch: draft.patch, outputs: draft.outputs, error: entry.error)
    }
    isBaseKnown = false
    let count = RedactionMarks.redactedCount
    let patch = try states.advance(to: state).patch
    let outputs = outputs.advance(to: values())
    let encoder = encoder
    beginRedacting(since: count) {
      _ = try? encoder.encode(state)
      _ = values()
    }
    // From the first redacted value on, entries are written differently.
    guard redacted == nil else { return false }
    isBaseKnown = true
    return entry.confirms(patch: patch[...], outputs: outputs?[...], error: entry.error)
  }

  /// Records that an entry was written without its state. The next captured entry is a keyframe.
  public mutating func thinned() {
    rule.thinned()
    isBaseKnown = false
  }

  /// Makes the next captured entry a keyframe that also has its changes, because a later stage dropped
  /// the entries before it.
  public mutating func forceKeyframe() { rule.thinned() }

  /// Records that entries were lost. The next captured entry is a keyframe.
  public mutating func lost() {
    rule.lost()
    isBaseKnown = false
  }

  /// The full state and outputs of the last captured entry.
  ///
  /// - Precondition: A state was captured or loaded.
  public func fullBytes() throws -> (state: [UInt8], outputs: [UInt8]) {
    if let redacted { return (redacted.bytes, redacted.outputs.bytes) }
    return (try states.fullBytes(), outputs.bytes)
  }
}

extension EntryWriter: Sendable {}
