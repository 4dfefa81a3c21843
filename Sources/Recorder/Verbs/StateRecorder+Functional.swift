import Replaying
public import StatesCore
import Timelines

/// What is kept of a dispatcher's input: closures stay on their isolation.
@usableFromInline
package struct CarriedDispatcherInput: Sendable {
  let event: DispatcherEvent<FunctionalArguments>?
  let error: DispatchError?

  /// Keeps what may leave the object's isolation.
  @usableFromInline
  init<Subject>(_ input: DispatcherInput<Subject>) {
    event = input.event
    error = input.error
  }

  /// The input as an appearance takes it.
  func input<Subject>(of type: Subject.Type) -> DispatcherInput<Subject> {
    DispatcherInput(happened: event, error: error)
  }
}

extension StateRecorder {
  /// Records the states of an object; answers the object.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on() -> State { state { _ in } }
  /// }
  /// let recorder = StateRecorder(app: "Commute")
  /// let lamp = recorder.record(Lamp(), as: "lamp")
  /// lamp.state.apply { $0.on() }
  /// ```
  @discardableResult
  public func record<Object: Stateful>(
    _ object: Object, as name: String, isolation: isolated (any Actor)? = #isolation
  ) -> Object {
    record(object.state, as: name, isolation: isolation)
    return object
  }

  /// Records what a dispatcher does; answers the dispatcher.
  @discardableResult
  public func record<Subject: AnyObject>(
    _ dispatcher: Dispatcher<Subject>, as name: String,
    isolation: isolated (any Actor)? = #isolation
  ) -> Dispatcher<Subject> {
    guard let core, core.isFree(dispatcher.kernel) else { return dispatcher }
    let type = SchemaTypes.name(of: Subject.self)
    let facts = MachineFacts(
      kind: MachineKind.functional.rawValue, type: Subject.self, make: "\(type).self")
    let admission = core.admit(
      name, dispatcher.kernel, FunctionalAppearance<Subject>(), facts,
      input: { (carried: CarriedDispatcherInput) in carried.input(of: Subject.self) })
    dispatcher.kernel.tap = admission.makeTap { CarriedDispatcherInput($0) }
    core.serve(dispatcher, admission.machine, isolation: isolation)
    return dispatcher
  }
}
