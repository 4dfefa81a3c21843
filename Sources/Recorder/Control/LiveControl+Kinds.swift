import JSONCore
import Replaying
import StatesCore
import Timelines

extension Machine: HeldMachine {
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome {
    LiveControl.performHolding(action, on: machine, as: Self.self, context)
  }
}

extension Machine: DrivenMachine where State: Codable, State.Event: Decodable {
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

extension StateForm: HeldMachine {
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome {
    LiveControl.performHolding(action, on: machine, as: Self.self, context)
  }
}

extension StateForm: DrivenMachine where State: Codable, Event: Decodable {
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
          action = try FormModel(form).decode(slice)
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
      // A form goes back one change at a time; where there is none, it says so itself.
      if let target, Int64(target) != seq {
        throw ControlRefusal(
          .wrongValue,
          "The next \(word) of the form leads to entry \(target), not to \(seq). To fix, restore the "
            + "state of entry \(seq).", path: "event")
      }
      return isRedo ? .redo(to: nil) : .undo(to: nil)
    case .change(nil):
      throw ControlRefusal(
        .wrongValue, "What this change did was not captured, so it can not be done again.",
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
        let words = TimelineDesk.words(of: error, isRedacting: !rules.isEmpty)
        throw ControlRefusal(.failed, "The state can not be written again: \(words)", path: "event")
      }
      if let found { throw ControlRefusal(standInAt: found, path: "event") }
      return .change({ $0 = next }, group: nil)
    }
  }
}

extension Statechart: HeldMachine {
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome {
    LiveControl.performHolding(action, on: machine, as: Self.self, context)
  }
}

extension Statechart: DrivenMachine where Value: Codable {
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
          message = try chart.message(from: slice).message
        } catch {
          throw ControlRefusal(error, path: "event")
        }
        guard let message else {
          throw ControlRefusal(.wrongValue, "A chart is started by itself.", path: "event")
        }
        return chart.dispatch(
          message, at: LiveControl.site, origin: .inspector, evenWhileHeld: true)
      })
  }
}

extension Dispatcher: HeldMachine {
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome {
    LiveControl.performHolding(action, on: machine, as: Self.self, context)
  }
}

/// States that the object's type lists as dispatchable are applied.
extension Dispatcher: DrivenMachine where Subject: Stateful, Subject.Subject == Subject {
  static func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context,
    _ rules: RedactionRules
  ) -> ControlOutcome {
    guard let dispatcher = machine as? Self else { return LiveControl.otherType }
    return LiveControl.perform(
      action, on: dispatcher, context,
      state: { _ throws(ControlRefusal) in
        throw ControlRefusal(
          .failed, "What a dispatcher waits for are closures, which no recording holds.",
          path: "state")
      },
      dispatch: { slice throws(ControlRefusal) in
        try LiveControl.check(RecordedJSON(slice.value), rules)
        guard let body = slice["apply"], let name = body["name"]?.string else {
          throw ControlRefusal(
            .wrongValue, #"What can be dispatched is {"apply":{"name":…,"arguments":[…]}}."#,
            path: "event")
        }
        let state: FunctionalState<Subject>
        do {
          state = try LiveControl.makeState(Subject.self, name, body["arguments"])
        } catch {
          throw ControlRefusal(.wrongValue, "\(error)", path: "event")
        }
        return dispatcher.dispatch(state, at: LiveControl.site, origin: .inspector)
      })
  }
}

/// A run belongs to nobody; where a command leads is seen when its entry comes.
extension FeedbackRun: DrivenMachine where State: Codable, Event: Decodable {
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
          .failed, "What waits in a feedback system goes on together. To fix, resume it.")
      case .restore(let slice, let moment):
        let state: State = try LiveControl.readState(slice, rules)
        // The number of the step is not known before it is made.
        context.willRestore(moment, -1)
        run.restore(state, at: LiveControl.site, origin: .inspector)
      case .dispatch(let slice):
        let event: Event = try LiveControl.readEvent(slice, rules)
        let answer = run.send(
          event, at: LiveControl.site, origin: .inspector, evenWhileHeld: true)
        if answer == .refused {
          throw ControlRefusal(.failed, "The run did not take the event.", path: "event")
        }
      }
    } catch {
      return .refused(error.code, error.sentence, path: error.path)
    }
    return .done(seq: nil)
  }
}
