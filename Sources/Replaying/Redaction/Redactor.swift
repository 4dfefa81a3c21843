import JSONCore
import Timelines

/// Applies the redaction rules of a machine, step by step.
///
/// It keeps the secrets, the meanings of marks in the state, and the places of the properties of key
/// path rules, so that it can list them even while their values equal the stand-in.
struct Redactor: Sendable {
  /// The parts of a step besides its state.
  struct Parts {
    var outputs: [(name: String, value: JSON)] = []
    var event: JSON?
    var error: String?
  }

  let rules: RedactionRules
  let key: RedactionKey
  let encoder: CanonicalEncoder
  var secrets = SecretTexts()
  var places: [Int: [Pointer]] = [:]
  private(set) var use: RuleUse
  private var meanings: [String: RedactionMarks.Meaning] = [:]

  init(
    _ rules: RedactionRules, key: RedactionKey = .process,
    encoder: CanonicalEncoder = CanonicalEncoder()
  ) {
    self.rules = rules
    use = RuleUse(rules)
    self.key = key
    self.encoder = encoder
  }

  /// Whether an encoding has `Redacted` properties.
  static func leavesMarks(_ encoding: () -> Void) -> Bool {
    let marks = RedactionMarks(key: .process)
    RedactionMarks.$current.withValue(marks, operation: encoding)
    return !marks.isEmpty
  }

  /// Creates empty findings for a step.
  func makeFindings() -> RedactionFindings {
    RedactionFindings(key: rules.showsEquality ? key : nil)
  }

  // MARK: Rules

  /// Applies the rules to the event and the outputs, and learns the secrets.
  mutating func hide(
    in parts: inout Parts, _ marks: RedactionMarks, _ found: RedactionFindings
  ) {
    for index in parts.outputs.indices {
      parts.outputs[index].value = RedactionWalk.resolve(
        parts.outputs[index].value, marks.meaning(of:),
        at: Self.outputPath(parts.outputs[index].name), note: found.record)
    }
    parts.event = parts.event.map {
      RedactionWalk.resolve($0, marks.meaning(of:), at: Self.eventPath, note: found.record)
    }
    for (number, rule) in rules.rules.enumerated() {
      var hasMatched = false
      let note: RedactionWalk.Note = { place, real, isSecret in
        hasMatched = true
        found.record(place, real, isSecret)
      }
      switch rule.kind {
      case .property, .state: break
      case .output(let name, let pattern, let standIn):
        for index in parts.outputs.indices where parts.outputs[index].name == name {
          parts.outputs[index].value = RedactionWalk.hide(
            parts.outputs[index].value, pattern, standIn: standIn, at: Self.outputPath(name),
            note: note)
        }
      case .event(let name, let pattern, let standIn):
        parts.event = parts.event.map { Self.hide($0, name, pattern, standIn, note) }
      }
      if hasMatched { use.recordMatch(of: number) }
    }
    learn(marks, found)
  }

  /// Applies the rules to an encoded state, and learns the secrets.
  mutating func hide<State: Encodable>(
    in state: inout JSON, _ properties: Hidden<State>, _ real: State, _ marks: RedactionMarks,
    _ found: RedactionFindings
  ) throws {
    var live: [String: RedactionMarks.Meaning] = [:]
    let former = meanings
    state = RedactionWalk.resolve(
      state,
      { text in
        guard let meaning = marks.meaning(of: text) ?? former[text] else { return nil }
        live[text] = meaning
        return meaning
      }, at: Self.statePath, note: found.record)
    meanings = live
    try locate(properties, in: state, real, found)
    for (number, rule) in rules.rules.enumerated() {
      guard case .state(let pattern, let standIn) = rule.kind else { continue }
      state = RedactionWalk.hide(
        state, pattern, standIn: standIn, at: Self.statePath
      ) { place, value, isSecret in
        use.recordMatch(of: number)
        found.record(place, value, isSecret)
      }
    }
    learn(marks, found)
  }

  private mutating func learn(_ marks: RedactionMarks, _ found: RedactionFindings) {
    for value in marks.secrets { found.recordSecret(value.json, value.keys) }
    for value in found.secrets { secrets.learn(from: value) }
  }

  /// Hides the payload of an event with this name: the value of the case's key, or everything but
  /// `type`.
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

  /// Checks a state for the keys in rules.
  mutating func checkKeys(in state: JSON, of real: Any) {
    use.checkKeys(in: state, of: real, for: rules)
  }

  // MARK: Texts

  /// Masks secrets in the event, the outputs, and the error.
  func mask(_ parts: inout Parts, _ found: RedactionFindings) {
    guard !secrets.isEmpty else { return }
    var names: [Pointer: String] = [:]
    for index in parts.outputs.indices {
      parts.outputs[index].value = mask(
        parts.outputs[index].value, at: Self.outputPath(parts.outputs[index].name), found, &names)
    }
    if let event = parts.event { parts.event = mask(event, at: Self.eventPath, found, &names) }
    found.rename(names)
    if let text = parts.error, let masked = secrets.masking(text) {
      found.record(Pointer(tokens: ["error"]), .string(text), false)
      parts.error = masked
    }
  }

  /// Masks secrets in a state; returns whether keys of it were secrets.
  func mask(_ state: inout JSON, _ found: RedactionFindings) -> Bool {
    guard !secrets.isEmpty else { return false }
    var names: [Pointer: String] = [:]
    state = mask(state, at: Self.statePath, found, &names)
    found.rename(names)
    return !names.isEmpty
  }

  /// Masks secrets in a value. Earlier findings have the original keys, which may be secrets, so
  /// `names` receives the written ones.
  private func mask(
    _ value: JSON, at path: Pointer, _ found: RedactionFindings, _ names: inout [Pointer: String]
  ) -> JSON {
    var renamed: [(Pointer, String)] = []
    let masked = RedactionWalk.mask(
      value, secrets, at: path, note: found.record, renamed: { renamed.append(($0, $1)) })
    for (former, name) in renamed { names[former] = name }
    return masked
  }

  static let statePath = Pointer(tokens: ["state"])
  static let eventPath = Pointer(tokens: ["event"])
  static func outputPath(_ name: String) -> Pointer { Pointer(tokens: ["outputs", name]) }
}

// Changes.
extension Redactor {
  /// Whether a change of the encoded state has no value to hide, and does not affect hidden values.
  /// False if that is not certain.
  func isHarmless(_ patch: Patch, _ hidden: HiddenPlaces) -> Bool {
    patch.operations.allSatisfy { isHarmless($0, hidden) }
  }

  private func isHarmless(_ operation: Patch.Operation, _ hidden: HiddenPlaces) -> Bool {
    guard !hidden.areTouched(by: operation), let last = operation.path.tokens.last else {
      return false
    }
    let movesElements: Bool
    let value: JSON?
    switch operation {
    case .replace(_, let new): (movesElements, value) = (false, new)
    case .add(_, let new): (movesElements, value) = (Pointer.index(last) != nil, new)
    case .remove: (movesElements, value) = (Pointer.index(last) != nil, nil)
    case .move, .copy, .test: return false
    }
    for rule in rules.rules {
      guard case .state(let pattern, _) = rule.kind else { continue }
      if movesElements, pattern.namesElement { return false }
      var places = pattern.start
      for token in operation.path.tokens {
        if pattern.isMatch(places) { return false }
        places = pattern.advance(places, by: token)
      }
      if pattern.isMatch(places) { return false }
      if let value, Self.holds(value, pattern, places) { return false }
    }
    if secrets.masking(last, isKey: true) != nil { return false }
    return value.map(isHarmless) ?? true
  }

  private static func holds(_ value: JSON, _ pattern: RedactionPattern, _ places: [Int]) -> Bool {
    if pattern.isMatch(places) { return true }
    guard !places.isEmpty else { return false }
    switch value {
    case .array(let elements):
      return elements.enumerated().contains {
        holds($1, pattern, pattern.advance(places, by: "\($0)"))
      }
    case .object(let members):
      return members.contains { holds($1, pattern, pattern.advance(places, by: $0)) }
    case .null, .bool, .number, .string: return false
    }
  }

  private func isHarmless(_ value: JSON) -> Bool {
    switch value {
    case .string(let text):
      return !RedactionMarks.mayBeMark(text) && secrets.masking(text) == nil
    case .number: return !secrets.hides(number: value)
    case .array(let elements): return elements.allSatisfy(isHarmless)
    case .object(let members):
      return members.allSatisfy { secrets.masking($0, isKey: true) == nil && isHarmless($1) }
    case .null, .bool: return true
    }
  }
}
