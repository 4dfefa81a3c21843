import JSONCore
public import Replaying
public import StatesCore
import Timelines

extension StateRecorder {
  /// A recording that is written by hand, for machines of any other shape.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Shop")
  /// let cart = recorder.machine("cart", initial: [String]())
  /// cart.record("added", state: ["tea"])
  /// ```
  /// `make` is a type that makes a `RecordedReducer` or an `EffectfulReducer` with the same state and
  /// events. With it the recording can be forked and replayed like any other.
  public func machine<State: Encodable & Sendable>(
    _ name: String, initial: State, outputs: Outputs<State> = Outputs([]),
    madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> CustomRecording<State> {
    let site = CallSite(file: file, line: line)
    guard let core, let make else {
      return CustomRecording(
        core, name, initial, CustomAppearance(outputs: outputs) { $0 },
        .reducer(State.self, nil, nil), .codable, site)
    }
    let checked = core.checkMake(make, of: name, state: State.self, event: Any.self)
    let namesEvents = checked.facts.eventType is any SchemaProviding.Type
    return CustomRecording(
      core, name, initial, CustomAppearance(outputs: outputs, namesEvents: namesEvents) { $0 },
      checked.facts, checked.isReadable ? .codable : .reflected, site)
  }

  /// A recording that is written by hand, of a state that is not Codable: by reflection.
  @_disfavoredOverload
  public func machine<State: Sendable>(
    _ name: String, initial: State, outputs: Outputs<State> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> CustomRecording<State> {
    CustomRecording(
      core, name, initial, CustomAppearance(outputs: outputs) { Reflected($0) },
      .reducer(State.self, nil, nil), .reflected, CallSite(file: file, line: line))
  }
}

/// A recording that is written by hand: each event with the state after it.
///
/// It ends when it goes away. A state that the recorder has not yet written is copied by whoever
/// changes it in place next; that is bounded by ``CaptureLimits/copyShare``.
public final class CustomRecording<State: Sendable> {
  private let end: CaptureEnd<State, any Sendable>?
  private let name: String
  private let site: CallSite
  private let watch: CallSiteWatch?

  fileprivate init<Recorded: Encodable>(
    _ core: RecorderCore?, _ name: String, _ initial: State,
    _ appearance: CustomAppearance<State, Recorded>, _ facts: MachineFacts,
    _ encoding: RecordedMachine.Encoding, _ site: CallSite
  ) {
    (self.name, self.site, watch) = (name, site, core?.callSiteWatch)
    end = core.map { core in
      CaptureEnd(
        core.admit(
          name, identity: Cause.makeMachineIdentity(),
          .scribe(first: initial, time: core.clock.now), appearance, facts, encoding: encoding,
          input: { $0 }))
    }
  }

  deinit {
    if let end { watch?.noteEnd(of: name, at: site, steps: end.noted.number) }
  }

  /// Records that an event happened, and what the state is since.
  ///
  /// An event that is not Codable is recorded by reflection.
  public func record(
    _ event: some Sendable, state: State, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    guard let end else { return }
    let now = end.now()
    let isKept = end.wantsState(isCopied: true, now: now)
    end.begin(event)
    let callSite = CallSite(file: file, line: line)
    let extra = StepExtra.extra(cause: Cause.current)
    if isKept {
      end.finish(state, number: 0, callSite: callSite, extra: extra, time: now)
    } else {
      end.finishThinned(number: 0, callSite: callSite, extra: extra, time: now)
    }
  }

  /// Records that the state was replaced, by no event.
  public func replace(
    by state: State, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    guard let end else { return }
    end.begin(nil)
    end.finish(
      state, number: 0, callSite: CallSite(file: file, line: line),
      extra: StepExtra.extra(cause: Cause.current), time: end.now(), isReplaced: true)
  }
}

/// How a recording that is written by hand appears: its events are of any type.
struct CustomAppearance<State, Recorded: Encodable>: MachineAppearance, Sendable {
  typealias Input = any Sendable

  private let record: @Sendable (State) -> Recorded
  private let values: ReflectedAppearance<State, any Sendable>
  /// Whether the events are those of a catalog, named after their types.
  private let namesEvents: Bool

  init(
    outputs: Outputs<State>, namesEvents: Bool = false,
    _ record: @escaping @Sendable (State) -> Recorded
  ) {
    self.record = record
    self.namesEvents = namesEvents
    values = ReflectedAppearance(outputs: outputs)
  }

  var outputKinds: [Header.Output] { values.outputKinds }

  func recorded(_ state: State) -> Recorded { record(state) }

  func outputs(of state: State, after input: Input?) -> [RecordedOutput] {
    values.outputs(of: state, after: input)
  }

  func event(_ input: Input, in context: EventContext) throws -> [UInt8] {
    namesEvents ? try NamedEvent.json(of: input).encoded() : try Self.encode(input)
  }

  /// Opens the existential, so that the event appears as its own type does.
  private static func encode<Event>(_ event: Event) throws -> [UInt8] {
    if let event = event as? any Encodable { return try encodeValue(event) }
    return try CanonicalEncoder().encode(Reflected(event))
  }

  private static func encodeValue<Event: Encodable>(_ event: Event) throws -> [UInt8] {
    try CanonicalEncoder().encode(event)
  }
}
