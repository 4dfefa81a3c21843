import Replaying
public import StatesCore
import Timelines

extension StateRecorder {
  /// Records a machine of a `Reducible` state, and returns it.
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
  /// Leave `isolation`, where the machine is used, to the compiler. Where it is nil, as in a
  /// property's initializer, the machine is recorded but cannot be controlled until you call
  /// ``attach(_:isolation:)``.
  @inlinable
  @discardableResult
  public func record<State: Reducible & Encodable & Sendable>(
    _ machine: Machine<State>, as name: String,
    isolation: isolated (any Actor)? = #isolation
  ) -> Machine<State> where State.Event: Encodable & Sendable {
    guard let registration = register(machine, as: name, isolation: isolation) else {
      return machine
    }
    machine.kernel.tap = registration.makeTap { $0 }
    return machine
  }

  /// Records a machine whose types are not `Codable`, by reflection: you can inspect it, but not
  /// replay it.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func record<State: Reducible & Sendable>(
    _ machine: Machine<State>, as name: String,
    isolation: isolated (any Actor)? = #isolation
  ) -> Machine<State> where State.Event: Sendable {
    guard let registration = registerReflected(machine, as: name, isolation: isolation) else {
      return machine
    }
    machine.kernel.tap = registration.makeTap { $0 }
    return machine
  }

  @usableFromInline
  func register<State: Reducible & Encodable & Sendable>(
    _ machine: Machine<State>, as name: String, isolation: isolated (any Actor)?
  ) -> Registration<State, State.Event>? where State.Event: Encodable & Sendable {
    guard let core, core.canRecord(machine.kernel) else { return nil }
    let type = SchemaTypes.name(of: State.self)
    let facts = MachineFacts(
      kind: MachineKind.states.rawValue, type: State.self, make: "\(type).self",
      eventType: State.Event.self)
    let registration = core.register(
      name, machine.kernel, StatesAppearance<State>(), facts, input: { $0 })
    core.makeControllable(machine, registration.machine, isolation: isolation)
    return registration
  }

  @usableFromInline
  func registerReflected<State: Reducible & Sendable>(
    _ machine: Machine<State>, as name: String, isolation: isolated (any Actor)?
  ) -> Registration<State, State.Event>? where State.Event: Sendable {
    guard let core, core.canRecord(machine.kernel) else { return nil }
    let facts = MachineFacts(
      kind: MachineKind.states.rawValue, type: State.self, eventType: State.Event.self)
    let appearance = ReflectedAppearance<State, State.Event>(outputs: State.outputs)
    let registration = core.register(
      name, machine.kernel, appearance, facts, encoding: .reflected, input: { $0 })
    core.makeControllable(machine, registration.machine, isolation: isolation)
    return registration
  }
}
