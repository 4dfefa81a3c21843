import JSONCore
import Replaying
import StatesCore
import Timelines

/// An event of another library's reducer, with the effects that the reducer returned.
@usableFromInline
package struct Performed<Event: Sendable>: Sendable {
  let event: Event
  let effects: [any Sendable]

  init(event: Event, effects: [any Sendable] = []) {
    self.event = event
    self.effects = effects
  }
}

/// An event that was encoded on the thread that sent it, because its type is not Sendable.
struct EncodedEvent: Sendable {
  let json: [UInt8]

  /// Encodes an event, keyed by the name of its type if the reducer accepts many types.
  init<Event>(_ event: Event) {
    do {
      json = try PerformedEvent.encode(event)
    } catch {
      var note = JSON.Object()
      note["$error"] = .string("The event cannot be written as JSON: \(error)")
      json = JSON.object(note).encoded()
    }
  }
}

/// Encodes events of other libraries.
enum PerformedEvent {
  static func encode<Event>(_ event: Event) throws -> [UInt8] {
    if let encoded = event as? EncodedEvent { return encoded.json }
    // For a reducer of `any Action`, the type distinguishes one action from another.
    let isOpen = type(of: event as Any) != Event.self
    if isOpen { return try NamedEvent.json(of: event).encoded() }
    return try CanonicalEncoder().encode(RecordedAny(event))
  }
}

/// Encodes states and events of other libraries' reducers, with `encode(to:)` if they have it and
/// by reflection otherwise. Effects become one more output.
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
    values.outputKinds + (showsEffects ? [RecordedEffects.kind] : [])
  }

  func recorded(_ state: State) -> Recorded { record(state) }

  func outputs(of state: State, after input: Performed<Event>?) -> [RecordedOutput] {
    let outputs = values.outputs(of: state, after: input?.event)
    guard let input else { return outputs }
    return outputs + RecordedEffects.outputs(input.effects)
  }

  func event(_ input: Performed<Event>, in context: EventContext) throws -> [UInt8] {
    try PerformedEvent.encode(input.event)
  }
}

/// What the caller declares about another library's reducer when recording it.
struct PerformedFacts {
  let name: String
  let site: CallSite
  var make: (any Replayable.Type)?
  var showsEffects = false
  var isReflected = false
}

extension StateRecorder {
  /// Makes the tap for another library's reducer; nil when nothing is recorded.
  func makePerformedTap<State: Sendable, Event: Sendable, Recorded: Encodable>(
    _ facts: PerformedFacts, _ outputs: Outputs<State>, sending event: Any.Type = Event.self,
    _ record: @escaping @Sendable (State) -> Recorded
  ) -> FunctionTap<State, Performed<Event>>? {
    guard let core else { return nil }
    let checked = core.checkMake(facts.make, of: facts.name, state: State.self, event: event)
    let appearance = PerformedAppearance<State, Event, Recorded>(
      outputs: outputs, showsEffects: facts.showsEffects, record)
    let isReadable = checked.isReadable && !facts.isReflected
    return core.makeFunctionTap(
      facts.name, appearance, checked.facts, encoding: isReadable ? .codable : .reflected,
      at: facts.site)
  }
}

extension RecorderCore {
  /// Returns the facts of a reducer, and whether its events can be decoded.
  ///
  /// If the type that makes it does not fit, logs why the machine cannot be rerun.
  func checkMake(
    _ make: (any Replayable.Type)?, of name: String, state: Any.Type, event: Any.Type
  ) -> (facts: MachineFacts, isReadable: Bool) {
    guard let make else {
      return (.reducer(state, event, nil), event is any Decodable.Type)
    }
    let types = reducerTypes(of: make)
    if let problem = Self.problem(with: make, types, state: state) {
      options.log(
        "\(name) is recorded, but cannot be replayed or forked. \(problem)")
      return (.reducer(state, event, nil), false)
    }
    return (.reducer(state, types?.eventType ?? event, make), true)
  }

  private static func problem(
    with make: any Replayable.Type, _ types: (any ReducerTypes.Type)?, state: Any.Type
  ) -> String? {
    guard let types else {
      return "To fix, make \(make).make() return a RecordedReducer or an EffectfulReducer."
    }
    if types.stateType != state {
      return """
        \(make) makes a machine with the state \(types.stateType), not \(state). To fix, pass a \
        type that makes a machine with the state \(state).
        """
    }
    return CodableProblem.sentence(about: types.stateType)
      ?? CodableProblem.sentence(about: types.eventType)
  }
}
