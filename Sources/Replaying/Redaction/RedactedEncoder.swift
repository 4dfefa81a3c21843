import JSONCore
import Timelines

/// Encodes the states of a machine of which something is hidden.
///
/// A step that changes nothing of what is hidden, and shows nothing that was, is written as what
/// `IncrementalEncoder` says of it: the cost follows the change. In every other step the whole
/// state is read, hidden in, and compared with the one before.
///
/// Kept are the state as it is written, the texts to look for, and what `IncrementalEncoder` keeps.
struct RedactedEncoder<State: Encodable>: Sendable {
  private var redactor: Redactor
  private var states: IncrementalEncoder<State>
  private var isStarted = false
  /// Whether the last step ended as it should: what is kept here is of one state.
  private var isWhole = false

  /// The state as it is written, and what is hidden in it.
  private var state: JSON?
  private var redacted: [Redaction] = []
  private var hidden = HiddenPlaces()
  private var hasHiddenKeys = false
  /// What properties held that are hidden by key paths.
  private var reals: [JSON] = []
  private var revision = 0

  /// About how many bytes the state has as it is written.
  private(set) var byteCount = 0

  /// The outputs without what is hidden.
  private(set) var outputs = OutputEncoder()

  /// How often the whole state was read.
  private(set) var fullReads = 0

  /// Whether every step reads the whole state, as the plain way that tests compare with.
  private let readsAll: Bool

  init(_ rules: RedactionRules, encoder: CanonicalEncoder, readsAll: Bool = false) {
    redactor = Redactor(rules, encoder: encoder)
    states = IncrementalEncoder(encoder: encoder)
    self.readsAll = readsAll
  }

  /// The state without what is hidden.
  var bytes: [UInt8] { state?.encoded() ?? [] }

  /// The texts that were hidden so far.
  var secrets: SecretTexts {
    get { redactor.secrets }
    set { redactor.secrets = newValue }
  }

  /// What of a step can be seen.
  private struct Moment {
    var parts: Redactor.Parts
    /// What changed in the state; nil when it is to be found by comparing.
    var patch: [UInt8]?
    /// The state before.
    var former: JSON?
    /// What is hidden, each place once.
    var redacted: [Redaction]

    var outputs: [RecordedOutput] {
      parts.outputs.map { RecordedOutput($0.name, json: $0.value.encoded()) }
    }
  }

  /// Begins with a state and its outputs.
  mutating func start(_ state: State, _ outputs: () -> [RecordedOutput]) throws {
    let moment = try redact(state, outputs, nil, nil, readsAll: true)
    self.outputs.start(moment.outputs)
  }

  /// Goes on to the next state, and writes into the entry what changed, what happened and what is
  /// hidden.
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
        Patch.difference(from: old, to: now).json.encoded()
      }
    if wasBaseKnown, let patch {
      draft.patch = patch[...]
      draft.outputs = outputs.advance(to: moment.outputs).map { $0[...] }
    } else {
      outputs.start(moment.outputs)
      if wasBaseKnown {
        // What was written before did not come from here: it is replaced as a whole.
        draft.patch = Patch([.replace(.root, now)]).json.encoded()[...]
        let all = (try? JSON(parsing: outputs.bytes)) ?? .object(JSON.Object())
        draft.outputs = Patch([.replace(.root, all)]).json.encoded()[...]
      }
    }
    draft.error = moment.parts.error
    note(moment.redacted, in: &draft)
    guard let event, let hidden = moment.parts.event else { return }
    if let word = Self.changeWord(of: hidden), let patch = draft.patch {
      // The change of a form is told as what it did to the state, which is hidden already.
      draft.event = try event(patch)
      note(Self.values(of: patch, in: word, moment.redacted), in: &draft)
    } else {
      draft.event = hidden.encoded()[...]
    }
  }

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
    note(found.listed(), in: &draft)
  }

  // MARK: Steps

  /// Hides what is to be hidden in a step; the closures encode, so that marks can be left.
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
    if let patch, wasWhole, !readsAll, isHarmless(patch, properties.reals) {
      change = patch
    } else {
      // Kept only here: a second reference would make a change in place copy the state.
      former = state
      try readState(properties, real, marks)
    }
    redactor.mask(&parts, found)
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

  /// Whether a change has nothing to do with what is hidden; the state is changed, then.
  private mutating func isHarmless(_ bytes: [UInt8], _ reals: [JSON]) -> Bool {
    guard redactor.secrets.revision == revision, !hasHiddenKeys, reals == self.reals else {
      return false
    }
    // Most often nothing changed.
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

  /// Reads the whole state, and hides in it.
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
    reals = properties.reals
    revision = redactor.secrets.revision
  }

  // MARK: Lists

  private func note(_ redactions: [Redaction], in draft: inout EntryDraft) {
    guard !draft.redacted.isEmpty else {
      draft.redacted = redactions
      return
    }
    let known = Set(draft.redacted.map(\.pointer))
    draft.redacted += redactions.filter { !known.contains($0.pointer) }
  }

  /// The word of a form's event that tells what a closure did.
  private static func changeWord(of event: JSON) -> String? {
    guard case .object(let members) = event, members.count == 1, let word = members.keys.first,
      ["apply", "undo", "redo"].contains(word), members[word]?.object?.isEmpty == true
    else { return nil }
    return word
  }

  /// The values in an event's patch that hold something hidden.
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
