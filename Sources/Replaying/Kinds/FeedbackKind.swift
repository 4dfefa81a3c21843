public import JSONCore
public import StatesCore
public import Timelines

/// How a run of a `FeedbackSystem` appears: encoded states and events. The outputs are the IDs of
/// the active requests of each loop.
///
/// The loop of an event is the entry's origin.
///
/// ```swift
/// let system = FeedbackSystem(
///   initialState: 0, reduce: { (state: Int, event: Int) in state + event },
///   feedback: react("up", request: { $0 }) { _, emit in emit(1) })
/// let appearance = FeedbackAppearance(of: system)
/// assert(appearance.outputKinds.map(\.name) == ["up"])
/// ```
public struct FeedbackAppearance<State: Sendable & Encodable, Event: Sendable & Encodable>:
  MachineAppearance, Sendable
{
  /// The events of the run.
  public typealias Input = Event

  private let system: FeedbackSystem<State, Event>

  /// Creates the appearance of a system's runs.
  public init(of system: FeedbackSystem<State, Event>) {
    self.system = system
  }

  /// One output for each loop.
  public var outputKinds: [Header.Output] { system.outputKinds }

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// The IDs of the active requests of each loop.
  public func outputs(of state: State, after input: Event?) -> [RecordedOutput] {
    system.recordedRequests(in: state, after: input)
  }

  /// The encoded event.
  public func event(_ input: Event, in context: EventContext) throws -> [UInt8] {
    try CanonicalEncoder().encode(input)
  }
}

extension FeedbackSystem {
  fileprivate var outputKinds: [Header.Output] {
    loopNames.map { Header.Output($0, kind: OutputUse.data.rawValue) }
  }

  /// The outputs of the loops that have requests.
  fileprivate func recordedRequests(in state: State, after event: Event?) -> [RecordedOutput] {
    requests(in: state, after: event).compactMap { requests in
      requests.ids.isEmpty ? nil : RecordedOutput(requests.loop, requests.ids)
    }
  }
}

/// Runs the reducer of a feedback system on the recorded events of all loops. Does not start effects,
/// because their events are in the recording.
///
/// ```swift
/// let system = FeedbackSystem(
///   initialState: 1, reduce: { (state: Int, event: Int) in state + event },
///   feedback: react("up", request: { $0 }) { _, emit in emit(1) })
/// var model = try system.makeModel()
/// _ = model.handle(2)
/// assert(model.state == 3)
/// ```
public struct FeedbackModel<State: Sendable & Codable, Event: Sendable & Decodable>: MachineModel {
  private let system: FeedbackSystem<State, Event>
  private var current: State?
  private var last: Event?

  /// Creates a model with the system's initial state. A system whose state lives elsewhere has none,
  /// and needs `restore`.
  public init(_ system: FeedbackSystem<State, Event>) {
    self.system = system
    current = system.initialState
  }

  /// The current state.
  ///
  /// - Precondition: The model has a state.
  public var state: State {
    guard let current else { preconditionFailure("give the model a state before asking for it") }
    return current
  }

  /// The IDs of the active requests of each loop.
  public var outputs: [RecordedOutput] { system.recordedRequests(in: state, after: last) }

  /// One output for each loop.
  public var outputKinds: [Header.Output] { system.outputKinds }

  /// False, because a loop's requests may depend on the last event.
  public static var outputsFollowFromState: Bool { false }

  /// Sets the initial state.
  public mutating func start() throws(ReplayError) {
    guard let first = system.initialState else {
      throw ReplayError(
        .notReplayable(
          why: """
            The state of this system lives elsewhere, so a fresh run has none. \
            To fix, begin with a recorded state.
            """))
    }
    current = first
    last = nil
  }

  /// Decodes an event.
  public func decode(_ event: JSONSlice) throws(ReplayError) -> Event {
    try decodeEvent(from: event)
  }

  /// Computes the next state.
  public mutating func handle(_ event: Event) -> String? {
    current = system.reduce(state, event)
    last = event
    return nil
  }

  /// Sets a recorded state.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    current = try decodeState(from: state)
    last = nil
  }
}

extension FeedbackSystem: ReplayableMachine where State: Codable, Event: Decodable {
  /// The kind of feedback systems.
  public static var kind: MachineKind { .feedback }

  /// Creates a model that runs the reducer.
  public func makeModel() throws(ReplayError) -> FeedbackModel<State, Event> {
    FeedbackModel(self)
  }
}
