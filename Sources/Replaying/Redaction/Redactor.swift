import JSONCore
import Timelines

/// Hides what the rules of a machine name, step by step.
///
/// It remembers two things: the texts that were hidden, and where the properties of key path rules
/// were found, so that they are listed also while they have the value of the stand-in.
struct Redactor: Sendable {
  /// What of a step can be seen.
  struct Moment {
    var state: JSON
    var outputs: [RecordedOutput]
    var event: JSON?
    var error: String?
    /// What was hidden, each place once.
    var redacted: [Redaction]
  }

  private let rules: RedactionRules
  private let key: RedactionKey
  private let encoder: CanonicalEncoder
  private var secrets = SecretTexts()
  private var places: [Int: [Pointer]] = [:]

  init(
    _ rules: RedactionRules, key: RedactionKey = .process,
    encoder: CanonicalEncoder = CanonicalEncoder()
  ) {
    self.rules = rules
    self.key = key
    self.encoder = encoder
  }

  /// Whether what is encoded has `Redacted` properties.
  static func leavesMarks(_ encoding: () -> Void) -> Bool {
    let marks = RedactionMarks(key: .process)
    RedactionMarks.$current.withValue(marks, operation: encoding)
    return !marks.isEmpty
  }

  /// Hides what is to be hidden in a step; the closures encode, so that marks can be left.
  mutating func redact<State: Encodable>(
    _ real: State, outputs values: () -> [RecordedOutput], event writing: (() throws -> [UInt8])?,
    error: String?
  ) throws -> Moment {
    let marks = RedactionMarks(key: key)
    let found = Findings(key: rules.showsEquality ? key : nil)
    let properties = try hideProperties(in: real)
    var (state, outputs, event) = try RedactionMarks.$current.withValue(marks) {
      (
        try JSON(parsing: encoder.encode(properties.hidden)),
        try values().map { ($0.name, try JSON(parsing: $0.json)) },
        try writing.map { try JSON(parsing: $0()) }
      )
    }
    state = RedactionWalk.resolve(state, marks, at: Self.statePath, note: found.note)
    try locate(properties, in: state, real, found)
    outputs = outputs.map { name, value in
      let path = Self.outputPath(name)
      return (
        name, RedactionWalk.resolve(value, marks, at: path, note: found.note)
      )
    }
    event = event.map {
      RedactionWalk.resolve($0, marks, at: Self.eventPath, note: found.note)
    }
    for rule in rules.rules { apply(rule, &state, &outputs, &event, found) }
    for value in found.secrets { secrets.learn(from: value) }
    var error = error
    if !secrets.isEmpty { mask(&state, &outputs, &event, &error, found) }
    return Moment(
      state: state, outputs: outputs.map { RecordedOutput($0, json: $1.encoded()) }, event: event,
      error: error, redacted: found.listed())
  }

  /// Hides what is to be hidden in an event, and in what went wrong with it.
  mutating func redact(
    event writing: () throws -> [UInt8], error: String?
  ) throws -> Moment {
    try withoutActuallyEscaping(writing) { writing in
      try redact(Nothing(), outputs: { [] }, event: writing, error: error)
    }
  }

  private struct Nothing: Encodable {}

  /// An event without what is hidden, for samples in a header.
  mutating func redacted(event: JSON) -> JSON {
    let found = Findings(key: nil)
    var state = JSON.null
    var outputs: [(String, JSON)] = []
    var event: JSON? = event
    for rule in rules.rules { apply(rule, &state, &outputs, &event, found) }
    for value in found.secrets { secrets.learn(from: value) }
    var error: String?
    mask(&state, &outputs, &event, &error, found)
    return event ?? .null
  }

  // MARK: Properties

  private struct Hidden<State> {
    var hidden: State
    var outcomes: [(rule: Int, outcome: RedactedProperty.Outcome)] = []
  }

  private func hideProperties<State>(in state: State) throws -> Hidden<State> {
    var result = Hidden(hidden: state)
    for (index, rule) in rules.rules.enumerated() {
      guard case .property(let property) = rule.kind,
        let outcome = try property.apply(Self.part(of: result.hidden))
      else { continue }
      result.hidden = Self.replacing(outcome.hidden, in: result.hidden)
      result.outcomes.append((index, outcome))
    }
    return result
  }

  /// Where the properties are, by comparing with the encoding of what they really hold, or of
  /// something else that is not the stand-in.
  private mutating func locate<State: Encodable>(
    _ properties: Hidden<State>, in state: JSON, _ real: State, _ found: Findings
  ) throws {
    for (index, outcome) in properties.outcomes {
      let isKnown = places[index].map { places in
        !places.isEmpty && places.allSatisfy { (state[$0] ?? .null) == outcome.standIn }
      }
      if isKnown != true {
        let isOther = outcome.real != outcome.standIn
        let shown: Any? = isOther ? try exposing(index, in: real) : outcome.other()
        if let shown {
          let exposed = try JSON(
            parsing: encoder.encode(Self.replacing(shown, in: properties.hidden)))
          places[index] = RedactionWalk.differences(
            exposed, try JSON(parsing: encoder.encode(properties.hidden)),
            whole: isOther ? (outcome.real, outcome.standIn) : nil)
        }
      }
      for place in places[index] ?? [] {
        found.note(Self.statePath + place, outcome.real, false)
      }
      if outcome.real != outcome.standIn { found.secrets.append(outcome.real) }
    }
  }

  /// The state with all properties hidden but one.
  private func exposing<State>(_ exposed: Int, in state: State) throws -> Any {
    var result = state
    for (index, rule) in rules.rules.enumerated() where index != exposed {
      guard case .property(let property) = rule.kind,
        let outcome = try property.apply(Self.part(of: result))
      else { continue }
      result = Self.replacing(outcome.hidden, in: result)
    }
    return Self.part(of: result)
  }

  static func part(of state: Any) -> Any {
    var part = state
    while let root = part as? any RedactionRoot { part = root.redactedPart }
    return part
  }

  private static func replacing<State>(_ part: Any, in state: State) -> State {
    replacing(part, inAny: state) as? State ?? state
  }

  private static func replacing(_ part: Any, inAny state: Any) -> Any {
    guard let root = state as? any RedactionRoot else { return part }
    return root.replacing(redactedPart: replacing(part, inAny: root.redactedPart))
  }

  // MARK: Patterns and texts

  private func apply(
    _ rule: RedactionRule, _ state: inout JSON, _ outputs: inout [(String, JSON)],
    _ event: inout JSON?, _ found: Findings
  ) {
    switch rule.kind {
    case .property: break
    case .state(let pattern, let standIn):
      state = RedactionWalk.hide(
        state, pattern, standIn: standIn, at: Self.statePath, note: found.note)
    case .output(let name, let pattern, let standIn):
      outputs = outputs.map { output in
        guard output.0 == name else { return output }
        return (
          name,
          RedactionWalk.hide(
            output.1, pattern, standIn: standIn, at: Self.outputPath(name),
            note: found.note)
        )
      }
    case .event(let name, let pattern, let standIn):
      event = event.map { Self.hide($0, name, pattern, standIn, found.note) }
    }
  }

  /// Hides the payload of an event, when it is of that name: the value under the case's name, or all
  /// but `type`.
  static func hide(
    _ event: JSON, _ name: String, _ pattern: RedactionPattern, _ standIn: JSON?,
    _ note: RedactionWalk.Note
  ) -> JSON {
    guard case .object(var members) = event else { return event }
    if members["type"]?.string == name {
      members["type"] = nil
      guard
        case .object(var hidden) = RedactionWalk.hide(
          .object(members), pattern, standIn: nil, at: eventPath, note: note)
      else { return event }
      hidden["type"] = .string(name)
      return .object(hidden)
    }
    guard members.count == 1, let payload = members[name] else { return event }
    let path = eventPath.appending(name)
    members[name] = RedactionWalk.hide(payload, pattern, standIn: standIn, at: path, note: note)
    return .object(members)
  }

  private func mask(
    _ state: inout JSON, _ outputs: inout [(String, JSON)], _ event: inout JSON?,
    _ error: inout String?, _ found: Findings
  ) {
    let note = found.note
    var names: [Pointer: String] = [:]
    func mask(_ value: JSON, at path: Pointer) -> JSON {
      RedactionWalk.mask(
        value, secrets, at: path, was: path, note: note, renamed: { names[$0] = $1 })
    }
    state = mask(state, at: Self.statePath)
    outputs = outputs.map { ($0, mask($1, at: Self.outputPath($0))) }
    event = event.map { mask($0, at: Self.eventPath) }
    // What was noted before has the keys of then, which are secrets.
    if !names.isEmpty { found.rename(names) }
    if let text = error, let masked = secrets.masking(text) {
      note(Pointer(tokens: ["error"]), .string(text), false)
      error = masked
    }
  }

  static let statePath = Pointer(tokens: ["state"])
  static let eventPath = Pointer(tokens: ["event"])
  static func outputPath(_ name: String) -> Pointer { Pointer(tokens: ["outputs", name]) }

  /// What was hidden so far.
  private final class Findings {
    let key: RedactionKey?
    var secrets: [JSON] = []
    private var redactions: [Redaction] = []
    private var known: Set<Pointer> = []

    init(key: RedactionKey?) { self.key = key }

    func note(_ pointer: Pointer, _ real: JSON, _ isSecret: Bool) {
      if isSecret { secrets.append(real) }
      guard known.insert(pointer).inserted else { return }
      redactions.append(Redaction(pointer, hash: key?.hash(real.encoded()) ?? ""))
    }

    /// Gives places the keys that are written, by those that there were.
    func rename(_ names: [Pointer: String]) {
      let former = redactions
      (redactions, known) = ([], [])
      for redaction in former {
        var (before, after) = (Pointer.root, Pointer.root)
        for token in redaction.pointer.tokens {
          before = before.appending(token)
          after = after.appending(names[before] ?? token)
        }
        guard known.insert(after).inserted else { continue }
        redactions.append(Redaction(after, hash: redaction.hash))
      }
    }

    /// Without the places inside other ones.
    func listed() -> [Redaction] {
      redactions.filter { redaction in
        var outer = redaction.pointer
        while !outer.isRoot {
          outer = outer.parent
          if known.contains(outer) { return false }
        }
        return true
      }
    }
  }
}

extension Pointer {
  fileprivate static func + (left: Pointer, right: Pointer) -> Pointer {
    Pointer(tokens: left.tokens + right.tokens)
  }
}
