import JSONCore
public import Replaying
public import StatesCore
import Timelines

extension StateRecorder {
  /// Makes a recording that you write manually, for state machines of any other style.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Shop")
  /// let cart = recorder.machine("cart", initial: [String]())
  /// cart.record("added", state: ["tea"])
  /// ```
  /// To support branches and replays, pass as `make` a type that makes a `RecordedReducer` or an
  /// `EffectfulReducer` with the same state and events.
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

  /// Makes a recording that you write manually, by reflection, of a state that is not `Codable`.
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

/// A recording that you write manually: each event with the state after it.
///
/// Releasing it ends the timeline. If you change a state in place while the recorder still holds
/// it, Swift copies it; ``CaptureLimits/copyShare`` limits how often.
public final class CustomRecording<State: Sendable> {
  private let writer: StepWriter<State, any Sendable>?
  private let identity: UInt
  private let name: String
  private let site: CallSite
  private let watch: CallSiteWatch?

  fileprivate init<Recorded: Encodable>(
    _ core: RecorderCore?, _ name: String, _ initial: State,
    _ appearance: CustomAppearance<State, Recorded>, _ facts: MachineFacts,
    _ encoding: RecordedMachine.Encoding, _ site: CallSite
  ) {
    let identity = Cause.makeMachineIdentity()
    (self.name, self.site, self.identity, watch) = (name, site, identity, core?.callSiteWatch)
    writer = core.map { core in
      StepWriter(
        core.register(
          name, identity: identity,
          .pipeline(first: initial, time: core.clock.now), appearance, facts, encoding: encoding,
          input: { $0 }))
    }
  }

  deinit {
    if let writer { watch?.recordEnd(of: name, at: site, steps: writer.lastNote.number) }
  }

  /// Records an event and the state after it.
  ///
  /// An event that is not `Codable` is recorded by reflection.
  public func record(
    _ event: some Sendable, state: State, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    guard let writer else { return }
    let now = writer.now()
    let isKept = writer.wantsState(isCopied: true, now: now)
    writer.begin(event)
    let callSite = CallSite(file: file, line: line)
    let extra = StepExtra.extra(cause: Cause.current)
    let number = writer.nextNumber
    if isKept {
      writer.finish(state, number: number, callSite: callSite, extra: extra, time: now)
    } else {
      writer.finishThinned(number: number, callSite: callSite, extra: extra, time: now)
    }
  }

  /// Records that the state was replaced without an event.
  public func replace(
    by state: State, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    guard let writer else { return }
    writer.begin(nil)
    writer.finish(
      state, number: writer.nextNumber, callSite: CallSite(file: file, line: line),
      extra: StepExtra.extra(cause: Cause.current), time: writer.now(), isReplaced: true)
  }

  /// Starts the effects of the event that was recorded last: what `body` and the tasks that it
  /// starts record names that event as its cause, here and in other machines.
  ///
  /// ```swift
  /// let recorder = StateRecorder(app: "Shop")
  /// let cart = recorder.machine("cart", initial: [String]())
  /// cart.record("requested", state: [])
  /// cart.causing { cart.record("arrived", state: ["tea"]) }
  /// ```
  /// Before the first event, the cause is the start of the recording.
  @discardableResult
  public func causing<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let writer else { return try body() }
    return try Cause.with(Cause(machine: identity, number: writer.lastNote.number), body)
  }
}

/// Encodes a recording that is written manually: its events are of any type.
struct CustomAppearance<State, Recorded: Encodable>: MachineAppearance, Sendable {
  typealias Input = any Sendable

  private let record: @Sendable (State) -> Recorded
  private let values: ReflectedAppearance<State, any Sendable>
  /// Whether events belong to a catalog, and are named after their types.
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

  /// Opens the existential, so that the event is encoded as its own type.
  private static func encode<Event>(_ event: Event) throws -> [UInt8] {
    if let event = event as? any Encodable { return try encodeValue(event) }
    return try CanonicalEncoder().encode(Reflected(event))
  }

  private static func encodeValue<Event: Encodable>(_ event: Event) throws -> [UInt8] {
    try CanonicalEncoder().encode(event)
  }
}
