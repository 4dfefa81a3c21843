import JSONCore
import Replaying
import StatesCore
import Timelines

/// An event of another library's reducer, and the effects that the reducer asked for.
struct Performed<Event: Sendable>: Sendable {
  let event: Event
  let effects: [any Sendable]
}

/// How reducers of other libraries appear: state and event as they encode themselves, by reflection
/// where they do not; the effects as one more output.
struct PerformedAppearance<State, Event: Sendable, Recorded: Encodable>: MachineAppearance, Sendable
{
  typealias Input = Performed<Event>

  private let values: ReflectedAppearance<State, Event>
  private let showsEffects: Bool
  private let record: @Sendable (State) -> Recorded

  init(
    outputs: Outputs<State>, showsEffects: Bool, _ record: @escaping @Sendable (State) -> Recorded
  ) {
    values = ReflectedAppearance(outputs: outputs)
    self.showsEffects = showsEffects
    self.record = record
  }

  var outputKinds: [Header.Output] {
    let effects = Header.Output("effects", kind: OutputUse.data.rawValue)
    return values.outputKinds + (showsEffects ? [effects] : [])
  }

  func recorded(_ state: State) -> Recorded { record(state) }

  func outputs(of state: State, after input: Performed<Event>?) -> [RecordedOutput] {
    let outputs = values.outputs(of: state, after: input?.event)
    guard let effects = input?.effects, !effects.isEmpty else { return outputs }
    return outputs + [RecordedOutput("effects", effects.map { Anything(value: $0) })]
  }

  func event(_ input: Performed<Event>, in context: EventContext) throws -> [UInt8] {
    try CanonicalEncoder().encode(Anything(value: input.event))
  }
}

/// A value as it encodes itself, else as reflection shows it.
private struct Anything: Encodable {
  let value: any Sendable

  func encode(to encoder: any Encoder) throws {
    guard let value = value as? any Encodable else {
      return try Reflected<Any>(value).encode(to: encoder)
    }
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension StateRecorder {
  /// The recording of another library's reducer; nil when nothing is recorded.
  func makePerformedTap<State: Sendable, Event: Sendable, Recorded: Encodable>(
    _ name: String, _ outputs: Outputs<State>, showsEffects: Bool,
    encoding: RecordedMachine.Encoding, at site: CallSite,
    _ record: @escaping @Sendable (State) -> Recorded
  ) -> FunctionTap<State, Performed<Event>>? {
    core?.makeFunctionTap(
      name,
      PerformedAppearance<State, Event, Recorded>(
        outputs: outputs, showsEffects: showsEffects, record),
      .reducer(State.self, Event.self, nil), encoding: encoding, at: site)
  }
}
