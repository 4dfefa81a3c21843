import JSONCore
public import StatesCore
public import Timelines

/// How a machine appears whose types are not Codable: by reflection. It can be viewed, searched, and
/// compared, but not run again.
///
/// ```swift
/// struct Lamp { var isOn = false }
/// enum Switch { case flipped(times: Int) }
/// let appearance = ReflectedAppearance<Lamp, Switch>()
/// let event = try appearance.event(.flipped(times: 2), in: EventContext(patch: nil, base: 0))
/// assert(String(decoding: event, as: UTF8.self) == #"{"flipped":{"times":2}}"#)
/// ```
public struct ReflectedAppearance<State, Input>: MachineAppearance, Sendable {
  private let states: StateOutputs<State>

  /// Creates an appearance (default: without outputs).
  public init(outputs: Outputs<State> = Outputs([])) {
    states = StateOutputs(outputs)
  }

  /// The given outputs.
  public var outputKinds: [Header.Output] { states.kinds }

  /// The state by reflection.
  public func recorded(_ state: State) -> Reflected<State> { Reflected(state) }

  /// The outputs that have a value.
  public func outputs(of state: State, after input: Input?) -> [RecordedOutput] {
    states.values(in: state)
  }

  /// The event, encoded or by reflection.
  public func event(_ input: Input, in context: EventContext) throws -> [UInt8] {
    // If encoding fails, reflection still shows the event.
    if let input = input as? any Encodable, let bytes = try? Self.encode(input) { return bytes }
    return try CanonicalEncoder().encode(Reflected(input))
  }

  private static func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    try CanonicalEncoder().encode(value)
  }
}
