import Replaying
public import StatesCore
import Timelines

extension StateRecorder {
  /// Records a machine of a `Reducible` state; answers the machine.
  ///
  /// ```swift
  /// struct Coin: Reducible, Codable {
  ///   var isHeads = true
  ///   enum Event: String, Codable { case flipped }
  ///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
  /// }
  /// let recorder = StateRecorder(app: "Commute")
  /// let coin = recorder.record(Machine(Coin()), as: "coin")
  /// coin.send(.flipped)
  /// ```
  ///
  /// `isolation` is where the machine is used, as far as the compiler knows it; leave it to the
  /// compiler. Where it is nil, as in a property's initialiser, the machine is recorded, and cannot
  /// be controlled until ``attach(_:isolation:)`` is called.
  @inlinable
  @discardableResult
  public func record<State: Reducible & Encodable & Sendable>(
    _ machine: Machine<State>, as name: String,
    isolation: isolated (any Actor)? = #isolation
  ) -> Machine<State> where State.Event: Encodable & Sendable {
    guard let admission = admit(machine, as: name, isolation: isolation) else { return machine }
    machine.kernel.tap = admission.makeTap { $0 }
    return machine
  }

  /// Records a machine whose types are not Codable, by reflection: it can be looked at, not run
  /// again.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func record<State: Reducible & Sendable>(
    _ machine: Machine<State>, as name: String,
    isolation: isolated (any Actor)? = #isolation
  ) -> Machine<State> where State.Event: Sendable {
    guard let admission = admitReflected(machine, as: name, isolation: isolation) else {
      return machine
    }
    machine.kernel.tap = admission.makeTap { $0 }
    return machine
  }

  @usableFromInline
  func admit<State: Reducible & Encodable & Sendable>(
    _ machine: Machine<State>, as name: String, isolation: isolated (any Actor)?
  ) -> Admission<State, State.Event>? where State.Event: Encodable & Sendable {
    guard let core, core.isFree(machine.kernel) else { return nil }
    let type = SchemaTypes.name(of: State.self)
    let facts = MachineFacts(
      kind: MachineKind.states.rawValue, type: State.self, make: "\(type).self",
      eventType: State.Event.self)
    let admission = core.admit(
      name, machine.kernel, StatesAppearance<State>(), facts, input: { $0 })
    core.serve(machine, admission.machine, isolation: isolation)
    return admission
  }

  @usableFromInline
  func admitReflected<State: Reducible & Sendable>(
    _ machine: Machine<State>, as name: String, isolation: isolated (any Actor)?
  ) -> Admission<State, State.Event>? where State.Event: Sendable {
    guard let core, core.isFree(machine.kernel) else { return nil }
    let facts = MachineFacts(
      kind: MachineKind.states.rawValue, type: State.self, eventType: State.Event.self)
    let appearance = ReflectedAppearance<State, State.Event>(outputs: State.outputs)
    let admission = core.admit(
      name, machine.kernel, appearance, facts, encoding: .reflected, input: { $0 })
    core.serve(machine, admission.machine, isolation: isolation)
    return admission
  }
}
