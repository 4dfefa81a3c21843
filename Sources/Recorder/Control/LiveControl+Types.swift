package import Replaying
import StatesCore
import Timelines
import Wire

/// A type of machine that can be controlled. Conformances depend on its states and events, and are
/// checked at run time.
protocol ControllableMachine: SendableMetatype {
  static func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context,
    _ rules: RedactionRules
  ) -> ControlOutcome
}

/// A type of machine whose state may declare redaction rules.
protocol RedactedMachine: SendableMetatype {
  /// The rules that the type of the state declares.
  static var declaredRules: RedactionRules { get }
}

/// A type of machine that can only be held.
protocol HoldableMachine: SendableMetatype {
  /// Executes a command, or returns why it cannot.
  static func performHolding(
    _ action: ControlAction, on machine: AnyObject, _ context: LiveControl.Context
  ) -> ControlOutcome
}

extension LiveControl {
  /// Creates the control for a type of machine: a `Machine`, a `StateForm`, a `Statechart`, a
  /// `Dispatcher`, or a `FeedbackRun`. What it can do depends on whether states and events can be
  /// decoded.
  ///
  /// - Parameter rules: Redaction rules, in addition to those that the type of the state declares.
  package init<M: AnyObject>(of machine: M.Type, _ rules: RedactionRules) {
    let declared = (machine as? any RedactedMachine.Type)?.declaredRules ?? []
    let rules = rules + declared
    if let type = machine as? any ControllableMachine.Type {
      self.init { object, action, context in type.perform(action, on: object, context, rules) }
    } else if let type = machine as? any HoldableMachine.Type {
      self.init { object, action, context in type.performHolding(action, on: object, context) }
    } else {
      let name = "\(machine)"
      self.init { _, _, _ in .refused(.failed, "\(name) cannot be controlled.") }
    }
  }

  /// The live machine does not have the recorded type.
  static let otherType = ControlOutcome.refused(
    .failed, "The live machine does not have the recorded type.")

  /// Controls a machine whose states or events cannot be decoded.
  static func performHolding<M: StateMachine>(
    _ action: ControlAction, on machine: AnyObject, as type: M.Type, _ context: Context
  ) -> ControlOutcome {
    guard let machine = machine as? M else { return otherType }
    let sentence = """
      The states or the events of this machine are not Codable, so they can be inspected but not \
      sent back. To fix, make both Codable.
      """
    return perform(
      action, on: machine, context,
      state: { _ throws(ControlRefusal) in throw ControlRefusal(.failed, sentence, path: "state") },
      dispatch: { _ throws(ControlRefusal) in
        throw ControlRefusal(.failed, sentence, path: "event")
      })
  }
}

extension Machine: RedactedMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: State.self) }
}

extension StateForm: RedactedMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: State.self) }
}

extension Statechart: RedactedMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: Value.self) }
}

extension Dispatcher: RedactedMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: Subject.self) }
}

extension FeedbackRun: RedactedMachine {
  static var declaredRules: RedactionRules { RedactionRules(declaredBy: State.self) }
}
