import JSONCore
import Replaying
import StatesCore
import Timelines
import Wire

extension Machine: HoldableMachine {
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome {
    LiveControl.performHolding(action, on: machine, as: Self.self, context)
  }
}

extension Machine: ControllableMachine where State: Codable, State.Event: Decodable {
  static func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context,
    _ rules: RedactionRules
  ) -> ControlOutcome {
    guard let machine = machine as? Self else { return LiveControl.otherType }
    return LiveControl.perform(
      action, on: machine, context,
      state: { slice throws(ControlRefusal) in try LiveControl.readState(slice, rules) },
      dispatch: { slice throws(ControlRefusal) in
        let event: State.Event = try LiveControl.readEvent(slice, rules)
        return machine.kernel.send(
          event, at: LiveControl.site, origin: .inspector, evenWhileHeld: true)
      })
  }
}

extension StateForm: HoldableMachine {
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome {
    LiveControl.performHolding(action, on: machine, as: Self.self, context)
  }
}

extension StateForm: ControllableMachine where State: Codable, Event: Decodable {
  static func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context,
    _ rules: RedactionRules
  ) -> ControlOutcome {
    guard let form = machine as? Self else { return LiveControl.otherType }
    return LiveControl.perform(
      action, on: form, context,
      state: { slice throws(ControlRefusal) in try LiveControl.readState(slice, rules) },
      dispatch: { slice throws(ControlRefusal) in
        try LiveControl.check(RecordedJSON(slice.value), rules)
        let action: FormModel<State, Event>.Action
        do throws(ReplayError) {
          action = try DecodingSentence.reading(hidesValues: !rules.isEmpty) {
            () throws(ReplayError) in try FormModel(form).decode(slice)
          }
        } catch {
          throw ControlRefusal(error, path: "event")
        }
        return form.kernel.send(
          try form.input(of: action, rules), at: LiveControl.site, origin: .inspector,
          evenWhileHeld: true)
      })
  }

  private func input(
    of action: FormModel<State, Event>.Action, _ rules: RedactionRules
  ) throws(ControlRefusal) -> FormInput<State, Event> {
    switch action {
    case .event(let event): return .event(event, group: nil)
    case .back(let word, let seq):
      let isRedo = word == "redo"
      let target = isRedo ? returnTargets.redo : returnTargets.undo
      // A form undoes one change at a time; if there is none, the form reports it.
      if let target, Int64(target) != seq {
        throw ControlRefusal(
          .wrongValue,
          "The next \(word) of the form leads to entry \(target), not to \(seq). To fix, restore the "
            + "state of entry \(seq).", path: "event")
      }
      return isRedo ? .redo(to: nil) : .undo(to: nil)
    case .change(nil):
      throw ControlRefusal(
        .wrongValue,
        "The recording does not contain what this change did, so it cannot be repeated.",
        path: "event")
    case .change(let patch?):
      var model = FormModel(self)
      if let problem = model.handle(.change(patch)) {
        throw ControlRefusal(.wrongValue, problem, path: "event")
      }
      let next = model.state
      let found: Pointer?
      do {
        found = try rules.standIn(inChangeFrom: state, to: next)
      } catch {
        let description = TimelineWriter.describe(error, isRedacting: !rules.isEmpty)
        throw ControlRefusal(.failed, "The state cannot be encoded: \(description)", path: "event")
      }
      if let found { throw ControlRefusal(standInAt: found, path: "event") }
      return .change({ $0 = next }, group: nil)
    }
  }
}

extension Statechart: HoldableMachine {
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome {
    LiveControl.performHolding(action, on: machine, as: Self.self, context)
  }
}

extension Statechart: ControllableMachine where Value: Codable {
  static func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context,
    _ rules: RedactionRules
  ) -> ControlOutcome {
    guard let chart = machine as? Self else { return LiveControl.otherType }
    return LiveControl.perform(
      action, on: chart, context,
      state: { slice throws(ControlRefusal) in try LiveControl.readState(slice, rules) },
      dispatch: { slice throws(ControlRefusal) in
        try LiveControl.check(RecordedJSON(slice.value), rules)
        let message: ChartMessage?
        do throws(ReplayError) {
          message = try DecodingSentence.reading(hidesValues: !rules.isEmpty) {
            () throws(ReplayError) in try chart.message(from: slice).message
          }
        } catch {
          throw ControlRefusal(error, path: "event")
        }
        guard let message else {
          throw ControlRefusal(
            .wrongValue, "A chart starts by itself; the start cannot be dispatched.", path: "event")
        }
        return chart.dispatch(
          message, at: LiveControl.site, origin: .inspector, evenWhileHeld: true)
      })
  }
}

extension Dispatcher: HoldableMachine {
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome {
    LiveControl.performHolding(action, on: machine, as: Self.self, context)
  }
}

/// Applies states that the object's type lists as dispatchable.
extension Dispatcher: ControllableMachine where Subject: Stateful, Subject.Subject == Subject {
  static func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context,
    _ rules: RedactionRules
  ) -> ControlOutcome {
    guard let dispatcher = machine as? Self else { return LiveControl.otherType }
    return LiveControl.perform(
      action, on: dispatcher, context,
      state: { _ throws(ControlRefusal) in
        throw ControlRefusal(
          .failed, "A dispatcher's state contains closures, which recordings do not contain.",
          path: "state")
      },
      dispatch: { slice throws(ControlRefusal) in
        try LiveControl.check(RecordedJSON(slice.value), rules)
        guard let body = slice["apply"], let name = body["name"]?.string else {
          throw ControlRefusal(
            .wrongValue,
            #"The event is invalid. To fix, send {"apply":{"name":…,"arguments":[…]}}."#,
            path: "event")
        }
        let state: FunctionalState<Subject>
        do {
          state = try LiveControl.makeState(Subject.self, name, body["arguments"])
        } catch {
          throw LiveControl.refusal(of: error, rules)
        }
        return dispatcher.dispatch(state, at: LiveControl.site, origin: .inspector)
      })
  }
}

/// A run has no isolation, so the entry that a command leads to is not known here.
extension FeedbackRun: ControllableMachine where State: Codable, Event: Decodable {
  static func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context,
    _ rules: RedactionRules
  ) -> ControlOutcome {
    guard let run = machine as? Self else { return LiveControl.otherType }
    do throws(ControlRefusal) {
      switch action {
      case .hold(let policy): run.hold(policy, while: context.isHeld)
      case .resume: run.resume()
      case .step:
        throw ControlRefusal(
          .failed,
          "A feedback system cannot handle its queued events one by one. To fix, resume it.")
      case .restore(let slice, let moment):
        let state: State = try LiveControl.readState(slice, rules)
        // The number of the step is not known yet.
        context.willRestore(moment, -1)
        run.restore(state, at: LiveControl.site, origin: .inspector)
      case .dispatch(let slice):
        let event: Event = try LiveControl.readEvent(slice, rules)
        let answer = run.send(
          event, at: LiveControl.site, origin: .inspector, evenWhileHeld: true)
        if answer == .refused {
          throw ControlRefusal(.failed, "The run refused the event.", path: "event")
        }
      }
    } catch {
      return .refused(error.code, error.sentence, path: error.path)
    }
    return .done(seq: nil)
  }
}
