package import JSONCore

extension RedactionRules {
  /// The place of a stand-in in a recorded event, if any.
  ///
  /// Such an event must not be sent to a live app, which would act on a false value. If a user replaces
  /// the stand-in with another value, the event can be sent.
  package func standIn<Event: Encodable>(inEvent event: Event) throws -> Pointer? {
    var found: Pointer?
    let json = try Self.resolving(event, at: Redactor.eventPath) { found = found ?? $0 }
    for rule in rules {
      guard case .event(let name, let pattern, let standIn) = rule.kind else { continue }
      _ = Redactor.hide(json, name, pattern, standIn) { pointer, value, _ in
        if Self.isStandIn(value, standIn) { found = found ?? pointer }
      }
    }
    return found ?? Self.mask(in: json, at: Redactor.eventPath)
  }

  /// The place of a stand-in in a recorded state, if any.
  package func standIn<State: Encodable>(inState state: State) throws -> Pointer? {
    try standIns(in: state).places.first ?? Self.mask(in: JSON(parsing: encoded(state)), at: .root)
  }

  /// The place at which a recorded change would put a stand-in into a live state, if any. Stand-ins
  /// that were already in the state do not count.
  package func standIn<State: Encodable>(
    inChangeFrom live: State, to next: State
  ) throws -> Pointer? {
    let before = try standIns(in: live)
    let after = try standIns(in: next)
    if let new = after.places.first(where: { !before.places.contains($0) }) { return new }
    let hadMask = Self.mask(in: before.json, at: .root) != nil
    return hadMask ? nil : Self.mask(in: after.json, at: .root)
  }

  private func encoded<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    try CanonicalEncoder().encode(value)
  }

  /// The places of a state with stand-ins; those of properties by the number of the rule.
  private func standIns<State: Encodable>(
    in state: State
  ) throws -> (places: [Pointer], json: JSON) {
    var places: [Pointer] = []
    let json = try Self.resolving(state, at: Redactor.statePath) { places.append($0) }
    for (index, rule) in rules.enumerated() {
      switch rule.kind {
      case .property(let property):
        let outcome = try property.apply(Redactor.part(of: state))
        if let outcome, outcome.secret == outcome.standIn {
          places.append(Redactor.statePath.appending("the property of rule \(index + 1)"))
        }
      case .state(let pattern, let standIn):
        let path = Redactor.statePath
        _ = RedactionWalk.hide(json, pattern, standIn: standIn, at: path) { pointer, value, _ in
          if Self.isStandIn(value, standIn) { places.append(pointer) }
        }
      case .output, .event: break
      }
    }
    return (places, json)
  }

  /// The value with real values in place of marks. Reports the places at which a `Redacted` property has its stand-in.
  private static func resolving<Value: Encodable>(
    _ value: Value, at path: Pointer, _ note: (Pointer) -> Void
  ) throws -> JSON {
    let marks = RedactionMarks(key: .process)
    let json = try RedactionMarks.$current.withValue(marks) {
      try JSON(parsing: CanonicalEncoder().encode(value))
    }
    _ = RedactionWalk.resolve(json, marks.meaning, at: path) { pointer, _, isSecret in
      if !isSecret { note(pointer) }
    }
    // With the real values: a rule for the whole payload would take the stand-ins for the user's.
    let reals: (String) -> RedactionMarks.Meaning? = { text in
      marks.meaning(of: text).map { RedactionMarks.Meaning(real: $0.real, standIn: $0.real.json) }
    }
    return RedactionWalk.resolve(json, reals, at: path) { _, _, _ in }
  }

  /// Whether a value, or one of an object's texts, is still the stand-in.
  private static func isStandIn(_ value: JSON, _ standIn: JSON?) -> Bool {
    if value == standIn ?? RedactionWalk.standIn(for: value) { return true }
    switch value {
    case .string(let text): return text.isEmpty
    case .object(let members):
      return members.contains { isText($0.value) && isStandIn($0.value, nil) }
    case .array(let elements): return elements.contains { isText($0) && isStandIn($0, nil) }
    case .null, .bool, .number: return false
    }
  }

  /// Numbers and Booleans in a hidden object may really be 0 and false.
  private static func isText(_ value: JSON) -> Bool {
    switch value {
    case .string, .object, .array: true
    case .null, .bool, .number: false
    }
  }

  private static func mask(in value: JSON, at path: Pointer) -> Pointer? {
    switch value {
    case .string(let text): return text.contains(SecretTexts.mask) ? path : nil
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let found = mask(in: element, at: path.appending(index)) { return found }
      }
      return nil
    case .object(let members):
      for (key, member) in members {
        let path = path.appending(key)
        if key.contains(SecretTexts.mask) { return path }
        if let found = mask(in: member, at: path) { return found }
      }
      return nil
    case .null, .bool, .number: return nil
    }
  }
}
