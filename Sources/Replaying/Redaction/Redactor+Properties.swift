import JSONCore

// Properties that key paths hide.
extension Redactor {
  struct Hidden<State> {
    var hidden: State
    var outcomes: [(rule: Int, outcome: RedactedProperty.Outcome)] = []

    /// The real values of the properties.
    var secrets: [JSON] { outcomes.map(\.outcome.secret) }
  }

  func hideProperties<State>(in state: State) throws -> Hidden<State> {
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

  /// Finds the properties by comparing with an encoding of their real values, or of other values that
  /// are not the stand-in.
  mutating func locate<State: Encodable>(
    _ properties: Hidden<State>, in state: JSON, _ real: State, _ found: RedactionFindings
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
        found.record(Pointer(tokens: Self.statePath.tokens + place.tokens), outcome.secret, false)
      }
      if outcome.secret != outcome.standIn { found.recordSecret(outcome.secret, outcome.keys()) }
    }
  }

  /// The state with all properties but one hidden.
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
}
