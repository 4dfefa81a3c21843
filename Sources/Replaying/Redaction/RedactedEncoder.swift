import JSONCore
import Timelines

/// Encodes the states of a machine with redaction.
///
/// A step that neither changes hidden values nor shows secrets is written with the patch of
/// `IncrementalEncoder`, so that the cost depends on the change. In every other step, the whole state
/// is read, redacted, and compared with the previous one.
///
/// It keeps the written state, the secrets, and the state of `IncrementalEncoder`.
struct RedactedEncoder<State: Encodable>: Sendable {
  private var redactor: Redactor
  private var states: IncrementalEncoder<State>
  private var isStarted = false
  /// Whether the last step was completed, so that all kept values belong to one state.
  private var isWhole = false

  /// The written state, and the values hidden in it.
  private var state: JSON?
  private var redacted: [Redaction] = []
  private var hidden = HiddenPlaces()
  private var hasHiddenKeys = false
  /// The real values of the properties that key paths hide.
  private var reals: [JSON] = []
  private var revision = 0

  /// The approximate size of the written state in bytes.
  private(set) var byteCount = 0

  /// The redacted outputs.
  private(set) var outputs = OutputEncoder()

  /// The number of times the whole state was read.
  private(set) var fullReads = 0

  /// Whether every step reads the whole state, which is the reference implementation for tests.
  private let readsAll: Bool

  init(_ rules: RedactionRules, encoder: CanonicalEncoder, readsAll: Bool = false) {
    redactor = Redactor(rules, encoder: encoder)
    states = IncrementalEncoder(encoder: encoder)
    self.readsAll = readsAll
  }

  /// The redacted state.
  var bytes: [UInt8] { state?.encoded() ?? [] }

  /// Which rules have matched.
  var ruleUse: RuleUse { redactor.use }

  var secrets: SecretTexts {
    get { redactor.secrets }
    set { redactor.secrets = newValue }
  }

  /// The redacted parts of a step.
  private struct Moment {
    var parts: Redactor.Parts
    /// The change of the state; `nil` if it must be found by comparing.
    var patch: [UInt8]?
    var former: JSON?
    /// The hidden values, each place once.
    var redacted: [Redaction]

    var outputs: [RecordedOutput] {
      parts.outputs.map { RecordedOutput($0.name, json: $0.value.encoded()) }
    }
  }

  /// Starts with a state and its outputs.
  mutating func start(_ state: State, _ outputs: () -> [RecordedOutput]) throws {
    let moment = try redact(state, outputs, nil, nil, readsAll: true)
    self.outputs.start(moment.outputs)
  }

  /// Advances to the next state, and writes the changes, the event, and the list of hidden values into
  /// the draft.
  mutating func capture(
    _ state: State, _ values: () -> [RecordedOutput],
    _ event: EntryWriter<State>.EventWriting?, _ wasBaseKnown: Bool, into draft: inout EntryDraft
  ) throws {
    let first = event.map { event in { Array(try event(nil)) } }
    let moment = try redact(
      state, values, first, draft.error, readsAll: readsAll || !wasBaseKnown)
    let now = self.state ?? .null
    let patch =
      moment.patch
      ?? moment.former.map { old in
        redactor.hideKeys(in: Patch.difference(from: old, to: now), to: now).json.encoded()
      }
    if wasBaseKnown, let patch {
      draft.patch = patch[...]
      if let change = outputs.change(to: moment.outputs) {
        draft.outputs =
          redactor.hideKeys(in: change, to: allOutputs, after: 1).json.encoded()[...]
      }
    } else {
      outputs.start(moment.outputs)
      if wasBaseKnown {
        // The previous state was not written here, so replace it completely.
        draft.patch = Patch([.replace(.root, now)]).json.encoded()[...]
        draft.outputs = Patch([.replace(.root, allOutputs)]).json.encoded()[...]
      }
    }
    draft.error = moment.parts.error
    list(moment.redacted, in: &draft)
    guard let event, let hidden = moment.parts.event else { return }
    if let word = Self.changeWord(of: hidden), let patch = draft.patch {
      // A form's change is the patch of the state, which is already redacted.
      draft.event = try event(patch)
      list(Self.values(of: patch, in: word, moment.redacted), in: &draft)
    } else {
      draft.event = hidden.encoded()[...]
    }
  }

  private var allOutputs: JSON { (try? JSON(parsing: outputs.bytes)) ?? .object(JSON.Object()) }

  /// Writes the event of an entry without a state.
  mutating func captureThinned(
    _ event: (ArraySlice<UInt8>?) throws -> ArraySlice<UInt8>, into draft: inout EntryDraft
  ) throws {
    let marks = RedactionMarks(key: redactor.key)
    let found = redactor.makeFindings()
    var parts = Redactor.Parts(error: draft.error)
    parts.event = try RedactionMarks.$current.withValue(marks) {
      try JSON(parsing: Array(event(nil)))
    }
    redactor.hide(in: &parts, marks, found)
    redactor.mask(&parts, found)
    draft.event = parts.event.map { $0.encoded()[...] }
    draft.error = parts.error
    list(found.listed(), in: &draft)
  }

  // MARK: Steps

  /// Redacts a step. The closures encode here, so that `Redacted` properties can leave marks.
  private mutating func redact(
    _ real: State, _ values: () -> [RecordedOutput], _ event: (() throws -> [UInt8])?,
    _ error: String?, readsAll: Bool
  ) throws -> Moment {
    let wasWhole = isWhole
    isWhole = false
    let marks = RedactionMarks(key: redactor.key)
    let properties = try redactor.hideProperties(in: real)
    let found = redactor.makeFindings()
    var parts = Redactor.Parts(error: error)
    let patch = try RedactionMarks.$current.withValue(marks) {
      let patch = try encode(properties.hidden)
      parts.outputs = try values().map { ($0.name, try JSON(parsing: $0.json)) }
      parts.event = try event.map { try JSON(parsing: $0()) }
      return patch
    }
    redactor.hide(in: &parts, marks, found)
    var (change, former): ([UInt8]?, JSON?)
    if let patch, wasWhole, !readsAll, isHarmless(patch, properties.secrets) {
      change = patch
    } else {
      // Moved out of `self`, because a second reference would make an in-place change copy the state.
      former = state
      try readState(properties, real, marks)
    }
    redactor.mask(&parts, found)
    if let state { redactor.checkKeys(in: state, of: real) }
    isWhole = true
    return Moment(
      parts: parts, patch: change, former: former, redacted: redacted + found.listed())
  }

  private mutating func encode(_ state: State) throws -> [UInt8]? {
    if isStarted { return try states.advance(to: state).patch }
    try states.start(state)
    isStarted = true
    return nil
  }

  /// Whether a change does not affect hidden values; if so, applies it to the state.
  private mutating func isHarmless(_ bytes: [UInt8], _ reals: [JSON]) -> Bool {
    guard redactor.secrets.revision == revision, !hasHiddenKeys, reals == self.reals else {
      return false
    }
    // Usually nothing has changed.
    if bytes.count == 2 { return true }
    guard let json = try? JSON(parsing: bytes), let patch = try? Patch(json),
      redactor.isHarmless(patch, hidden)
    else { return false }
    for operation in patch.operations { byteCount += growth(by: operation) }
    do {
      try state?.apply(patch)
    } catch {
      return false
    }
    return true
  }

  private func growth(by operation: Patch.Operation) -> Int {
    let old = operation.name == "add" ? nil : state?[operation.path]
    let removed = old.map { $0.byteCount() } ?? 0
    switch operation {
    case .add(_, let value), .replace(_, let value): return value.byteCount() - removed
    case .remove, .move, .copy, .test: return -removed
    }
  }

  /// Reads and redacts the whole state.
  private mutating func readState(
    _ properties: Redactor.Hidden<State>, _ real: State, _ marks: RedactionMarks
  ) throws {
    fullReads += 1
    let found = redactor.makeFindings()
    var state = try RedactionMarks.$current.withValue(marks) {
      try JSON(parsing: states.fullBytes())
    }
    try redactor.hide(in: &state, properties, real, marks, found)
    hasHiddenKeys = redactor.mask(&state, found)
    redacted = found.listed()
    hidden = HiddenPlaces(redacted.map(\.pointer), below: Redactor.statePath)
    self.state = state
    byteCount = state.byteCount()
    reals = properties.secrets
    revision = redactor.secrets.revision
  }

  // MARK: Lists

  private func list(_ redactions: [Redaction], in draft: inout EntryDraft) {
    guard !draft.redacted.isEmpty else {
      draft.redacted = redactions
      return
    }
    let known = Set(draft.redacted.map(\.pointer))
    draft.redacted += redactions.filter { !known.contains($0.pointer) }
  }

  /// The key of a form's event with a closure's change.
  private static func changeWord(of event: JSON) -> String? {
    guard case .object(let members) = event, members.count == 1, let word = members.keys.first,
      ["apply", "undo", "redo"].contains(word), members[word]?.object?.isEmpty == true
    else { return nil }
    return word
  }

  /// The values in an event's patch that have hidden values.
  private static func values(
    of patch: ArraySlice<UInt8>, in word: String, _ redactions: [Redaction]
  ) -> [Redaction] {
    guard let json = try? JSON(parsing: Array(patch)), let patch = try? Patch(json) else {
      return []
    }
    let hidden = redactions.map(\.pointer).filter { $0.tokens.first == "state" }
    return patch.operations.enumerated().compactMap { index, operation in
      let path = Pointer(tokens: ["state"] + operation.path.tokens)
      guard operation.name != "remove",
        hidden.contains(where: { $0.isPrefix(of: path) || path.isPrefix(of: $0) })
      else { return nil }
      return Redaction(Pointer(tokens: ["event", word, "patch", "\(index)", "value"]))
    }
  }
}
