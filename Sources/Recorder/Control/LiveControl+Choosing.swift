package import Replaying
import StatesCore
import Timelines

/// A type of live machines that can be driven: whether it can depends on what its states and events
/// are, and is asked at run time.
protocol DrivenMachine: SendableMetatype {
  /// Carries a command out.
  static func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context,
    _ rules: RedactionRules
  ) -> ControlOutcome
}

/// A type of live machines whose state's type may say what is hidden.
protocol RuledMachine: SendableMetatype {
  /// The rules that the type of the state declares.
  static var declaredRules: RedactionRules { get }
}

/// A type of live machines that can be held, not driven.
protocol HeldMachine: SendableMetatype {
  /// Carries a command out, or says why not.
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome
}

extension LiveControl {
  /// How machines of a type are controlled: a `Machine`, a `StateForm`, a `Statechart`, a
  /// `Dispatcher` or a `FeedbackRun`, as far as their states and events can be read.
  ///
  /// `rules` is joined with what the type of the state declares.
  package init<M: AnyObject>(of machine: M.Type, _ rules: RedactionRules) {
    let declared = (machine as? any RuledMachine.Type)?.declaredRules ?? []
    let rules = rules + declared
    if let type = machine as? any DrivenMachine.Type {
      self.init { object, action, context in type.perform(action, on: object, context, rules) }
    } else if let type = machine as? any HeldMachine.Type {
      self.init { object, action, context in type.performHolding(action, on: object, context) }
    } else {
      let name = "\(machine)"
      self.init { _, _, _ in .refused(.failed, "\(name) can not be controlled.") }
    }
  }

  /// The live machine is not what the recorder took it for.
  static let otherType = ControlOutcome.refused(.failed, "The live machine is of another type.")

  /// A machine whose states or events can not be read.
  static func performHolding<M: StateMachine>(
    _ action: ControlAction, on machine: AnyObject, as type: M.Type, _ context: Context
  ) -> ControlOutcome {
    guard let machine = machine as? M else { return otherType }
    let sentence = """
      The states or the events of this machine are not Codable, so they can be looked at, not sent \
      back. To fix, declare them Codable.
      """
    return perform(
      action, on: machine, context,
      state: { _ throws(ControlRefusal) in throw ControlRefusal(.failed, sentence, path: "state") },
      dispatch: { _ throws(ControlRefusal) in
        throw ControlRefusal(.failed, sentence, path: "event")
      })
  }
}

extension Machine: RuledMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: State.self) }
}

extension StateForm: RuledMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: State.self) }
}

extension Statechart: RuledMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: Value.self) }
}

extension Dispatcher: RuledMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: Subject.self) }
}

extension FeedbackRun: RuledMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: State.self) }
}
