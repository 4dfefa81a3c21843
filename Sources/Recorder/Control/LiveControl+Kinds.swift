import JSONCore
package import Replaying
package import StatesCore
import Timelines

extension LiveControl {
  /// A `Machine`.
  package static func states<State: Reducible & Codable>(
    _ type: State.Type, _ rules: RedactionRules
  ) -> LiveControl where State.Event: Decodable {
    .machine(
      Machine<State>.self,
      state: { slice throws(ControlRefusal) in try readState(slice, rules) },
      dispatch: { slice, machine throws(ControlRefusal) in
        let event: State.Event = try readEvent(slice, rules)
        return machine.kernel.send(event, at: site, origin: .inspector, evenWhileHeld: true)
      })
  }

  /// A `StateForm`.
  package static func form<State: Codable & SendableMetatype, Event: Decodable & SendableMetatype>(
    _ type: StateForm<State, Event>.Type, _ rules: RedactionRules
  ) -> LiveControl {
    .machine(
      StateForm<State, Event>.self,
      state: { slice throws(ControlRefusal) in try readState(slice, rules) },
      dispatch: { slice, form throws(ControlRefusal) in
        try check(RecordedJSON(slice.value), rules)
        let action: FormModel<State, Event>.Action
        do throws(ReplayError) {
          action = try FormModel(form).decode(slice)
        } catch {
          throw ControlRefusal(error, path: "event")
        }
        let input = try input(of: action, form, rules)
        return form.kernel.send(input, at: site, origin: .inspector, evenWhileHeld: true)
      })
  }

  private static func input<State: Codable, Event: Decodable>(
    of action: FormModel<State, Event>.Action, _ form: StateForm<State, Event>,
    _ rules: RedactionRules
  ) throws(ControlRefusal) -> FormInput<State, Event> {
    switch action {
    case .event(let event): return .event(event, group: nil)
    case .change(nil):
      throw ControlRefusal(
        .wrongValue, "What this change did was not captured, so it can not be done again.",
        path: "event")
    case .change(let patch?):
      var model = FormModel(form)
      if let problem = model.handle(.change(patch)) {
        throw ControlRefusal(.wrongValue, problem, path: "event")
      }
      let next = model.state
      let found: Pointer?
      do {
        found = try rules.standIn(inChangeFrom: form.state, to: next)
      } catch {
        throw ControlRefusal(.failed, "The state can not be written again: \(error)", path: "event")
      }
      if let found { throw ControlRefusal(standInAt: found, path: "event") }
      return .change({ $0 = next }, group: nil)
    case .back(let word, _): return word == "redo" ? .redo(to: nil) : .undo(to: nil)
    }
  }

  /// A `Statechart`.
  package static func statechart<Value: Codable & SendableMetatype>(
    _ type: Statechart<Value>.Type, _ rules: RedactionRules
  ) -> LiveControl {
    .machine(
      Statechart<Value>.self,
      state: { slice throws(ControlRefusal) in try readState(slice, rules) },
      dispatch: { slice, chart throws(ControlRefusal) in
        try check(RecordedJSON(slice.value), rules)
        let message: ChartMessage?
        do throws(ReplayError) {
          message = try chart.message(from: slice).message
        } catch {
          throw ControlRefusal(error, path: "event")
        }
        guard let message else {
          throw ControlRefusal(.wrongValue, "A chart is started by itself.", path: "event")
        }
        return chart.dispatch(message, at: site, origin: .inspector, evenWhileHeld: true)
      })
  }

  /// The dispatcher of a `Stateful` object: states that its type lists as dispatchable are applied.
  package static func functional<Object: Stateful>(
    _ type: Object.Type, _ rules: RedactionRules
  ) -> LiveControl where Object: SendableMetatype {
    .machine(
      Dispatcher<Object.Subject>.self,
      state: { _ throws(ControlRefusal) in
        throw ControlRefusal(
          .failed, "What a dispatcher waits for are closures, which no recording holds.",
          path: "state")
      },
      dispatch: { slice, dispatcher throws(ControlRefusal) in
        try check(RecordedJSON(slice.value), rules)
        guard let body = slice["apply"], let name = body["name"]?.string else {
          throw ControlRefusal(
            .wrongValue, #"What can be dispatched is {"apply":{"name":…,"arguments":[…]}}."#,
            path: "event")
        }
        let state: FunctionalState<Object.Subject>
        do {
          state = try makeState(Object.self, name, body["arguments"])
        } catch {
          throw ControlRefusal(.wrongValue, "\(error)", path: "event")
        }
        return dispatcher.dispatch(state, at: site, origin: .inspector)
      })
  }

  private static func makeState<Object: Stateful>(
    _ type: Object.Type, _ name: String, _ arguments: JSONSlice?
  ) throws -> FunctionalState<Object.Subject> {
    guard let arguments else { return try Object.dispatchableState(named: name, arguments: nil) }
    // A decoder is only to be had inside of a decoding.
    return try CanonicalDecoder().decode(DecoderBox.self, from: arguments).decoder.withDecoder {
      try Object.dispatchableState(named: name, arguments: $0)
    }
  }

  // MARK: Reading

  private static func readState<State: Codable>(
    _ slice: JSONSlice, _ rules: RedactionRules
  ) throws(ControlRefusal) -> State {
    let state: State = try decode(slice, "state")
    let found: Pointer?
    do {
      found = try rules.standIn(inState: state)
    } catch {
      throw ControlRefusal(.failed, "The state can not be written again: \(error)", path: "state")
    }
    if let found { throw ControlRefusal(standInAt: found, path: "state") }
    return state
  }

  private static func readEvent<Event: Decodable>(
    _ slice: JSONSlice, _ rules: RedactionRules
  ) throws(ControlRefusal) -> Event {
    let event: Event = try decode(slice, "event")
    if let event = event as? any Encodable {
      try check(event, rules)
    } else {
      try check(RecordedJSON(slice.value), rules)
    }
    return event
  }

  private static func check(
    _ event: any Encodable, _ rules: RedactionRules
  ) throws(ControlRefusal) {
    let found: Pointer?
    do {
      found = try rules.standIn(inEvent: event)
    } catch {
      throw ControlRefusal(.failed, "The event can not be written again: \(error)", path: "event")
    }
    if let found { throw ControlRefusal(standInAt: found, path: "event") }
  }

  private static func decode<Value: Decodable>(
    _ slice: JSONSlice, _ path: String
  ) throws(ControlRefusal) -> Value {
    do {
      return try CanonicalDecoder().decode(Value.self, from: slice)
    } catch {
      throw ControlRefusal(.wrongValue, DecodingSentence.text(of: error), path: path)
    }
  }
}

/// Keeps the decoder of a value for the time of a call.
private struct DecoderBox: Decodable {
  struct Holder {
    fileprivate let decoder: any Decoder
    func withDecoder<Result>(_ body: (any Decoder) throws -> Result) throws -> Result {
      try body(decoder)
    }
  }

  let decoder: Holder

  init(from decoder: any Decoder) throws {
    self.decoder = Holder(decoder: decoder)
  }
}
