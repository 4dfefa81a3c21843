import JSONCore
import Timelines

/// Encodes the states of a machine of which something is hidden.
///
/// Each step encodes the whole state, hides in it, and compares with the one before: it cannot be
/// known from a change alone what it shows. Nothing that was hidden is kept but the texts to look
/// for.
struct RedactedEncoder: Sendable {
  private var redactor: Redactor
  private var state: JSON?

  /// The state without what is hidden.
  private(set) var bytes: [UInt8] = []

  /// The outputs without what is hidden.
  private(set) var outputs = OutputEncoder()

  init(_ rules: RedactionRules, encoder: CanonicalEncoder) {
    redactor = Redactor(rules, encoder: encoder)
  }

  /// Begins with a state and its outputs.
  mutating func start<State: Encodable>(
    _ state: State, _ outputs: () -> [RecordedOutput]
  ) throws {
    take(try redactor.redact(state, outputs: outputs, event: nil, error: nil))
  }

  /// Goes on to the next state, and writes into the entry what changed, what happened and what is
  /// hidden.
  mutating func capture<State: Encodable>(
    _ state: State, _ values: () -> [RecordedOutput],
    _ event: EntryWriter<State>.EventWriting?, _ wasBaseKnown: Bool, into draft: inout EntryDraft
  ) throws {
    let first = event.map { event in { Array(try event(nil)) } }
    let moment = try redactor.redact(state, outputs: values, event: first, error: draft.error)
    if wasBaseKnown {
      if let old = self.state {
        draft.patch = Patch.difference(from: old, to: moment.state).json.encoded()[...]
        draft.outputs = outputs.advance(to: moment.outputs).map { $0[...] }
      } else {
        // What was written before did not come from here: it is replaced as a whole.
        draft.patch = Patch([.replace(.root, moment.state)]).json.encoded()[...]
        outputs.start(moment.outputs)
        let all = (try? JSON(parsing: outputs.bytes)) ?? .object(JSON.Object())
        draft.outputs = Patch([.replace(.root, all)]).json.encoded()[...]
      }
    }
    take(moment)
    draft.error = moment.error
    note(moment.redacted, in: &draft)
    guard let event, let hidden = moment.event else { return }
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
    let moment = try redactor.redact(event: { Array(try event(nil)) }, error: draft.error)
    draft.event = moment.event.map { $0.encoded()[...] }
    draft.error = moment.error
    note(moment.redacted.filter { $0.pointer.tokens.first != "state" }, in: &draft)
  }

  private mutating func take(_ moment: Redactor.Moment) {
    state = moment.state
    bytes = moment.state.encoded()
    outputs.start(moment.outputs)
  }

  private func note(_ redactions: [Redaction], in draft: inout EntryDraft) {
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
