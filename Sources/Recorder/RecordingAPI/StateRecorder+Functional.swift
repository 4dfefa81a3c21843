import Replaying
public import StatesCore
import Timelines

/// The part of a dispatcher's input that may leave its isolation, which excludes closures.
@usableFromInline
package struct SendableDispatcherInput: Sendable {
  let event: DispatcherEvent<FunctionalArguments>?
  let error: DispatchError?

  @usableFromInline
  init<Subject>(_ input: DispatcherInput<Subject>) {
    event = input.event
    error = input.error
  }

  func input<Subject>(of type: Subject.Type) -> DispatcherInput<Subject> {
    DispatcherInput(happened: event, error: error)
  }
}

extension StateRecorder {
  /// Records the states of an object, and returns it.
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

  /// Records a dispatcher, and returns it.
  @discardableResult
  public func record<Subject: AnyObject>(
    _ dispatcher: Dispatcher<Subject>, as name: String,
    isolation: isolated (any Actor)? = #isolation
  ) -> Dispatcher<Subject> {
    guard let core, core.canRecord(dispatcher.kernel) else { return dispatcher }
    let type = SchemaTypes.name(of: Subject.self)
    let facts = MachineFacts(
      kind: MachineKind.functional.rawValue, type: Subject.self, make: "\(type).self")
    let registration = core.register(
      name, dispatcher.kernel, FunctionalAppearance<Subject>(), facts,
      input: { (payload: SendableDispatcherInput) in payload.input(of: Subject.self) })
    dispatcher.kernel.tap = registration.makeTap { SendableDispatcherInput($0) }
    core.makeControllable(dispatcher, registration.machine, isolation: isolation)
    return dispatcher
  }
}
