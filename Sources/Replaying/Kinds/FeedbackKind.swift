public import JSONCore
public import StatesCore
public import Timelines

/// How a run of a `FeedbackSystem` appears: state and event as they encode themselves; the outputs
/// are the ids of the requests that are live, by loop.
///
/// Which loop an event came from is the entry's origin.
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
  /// What the run handles.
  public typealias Input = Event

  private let system: FeedbackSystem<State, Event>

  /// The appearance of a system's runs.
  public init(of system: FeedbackSystem<State, Event>) {
    self.system = system
  }

  /// The loops.
  public var outputKinds: [Header.Output] { system.outputKinds }

  /// The state itself.
  public func recorded(_ state: State) -> State { state }

  /// The ids of the requests that are live, by loop.
  public func outputs(of state: State, after input: Event?) -> [RecordedOutput] {
    system.recordedRequests(in: state, after: input)
  }

  /// The event as it encodes itself.
  public func event(_ input: Event, in context: EventContext) throws -> [UInt8] {
    try CanonicalEncoder().encode(input)
  }
}

extension FeedbackSystem {
  fileprivate var outputKinds: [Header.Output] {
    loopNames.map { Header.Output($0, kind: OutputUse.data.rawValue) }
  }

  /// Loops that are asked for nothing are left out.
  fileprivate func recordedRequests(in state: State, after event: Event?) -> [RecordedOutput] {
    requests(in: state, after: event).compactMap { requests in
      requests.ids.isEmpty ? nil : RecordedOutput(requests.loop, requests.ids)
    }
  }
}

/// Runs the reducer of a feedback system on the recorded events of all loops; no effect is started,
/// because its events are in the recording.
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

  /// Runs a system's reducer, beginning with its initial state; a system whose state lives elsewhere
  /// has none, and needs to be given one.
  public init(_ system: FeedbackSystem<State, Event>) {
    self.system = system
    current = system.initialState
  }

  /// The state as it is now.
  ///
  /// - Precondition: there is one.
  public var state: State {
    guard let current else { preconditionFailure("give the model a state before asking for it") }
    return current
  }

  /// The ids of the requests that are live, by loop.
  public var outputs: [RecordedOutput] { system.recordedRequests(in: state, after: last) }

  /// The loops.
  public var outputKinds: [Header.Output] { system.outputKinds }

  /// A loop may ask for the event that led to the state.
  public static var outputsFollowFromState: Bool { false }

  /// Takes the initial state.
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

  /// Reads an event.
  public func decode(_ event: JSONSlice) throws(ReplayError) -> Event {
    try decodeEvent(from: event)
  }

  /// Computes the next state.
  public mutating func handle(_ event: Event) -> String? {
    current = system.reduce(state, event)
    last = event
    return nil
  }

  /// Takes a state as given.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    current = try decodeState(from: state)
    last = nil
  }
}

extension FeedbackSystem: ReplayableMachine where State: Codable, Event: Decodable {
  /// A feedback system.
  public static var kind: MachineKind { .feedback }

  /// Runs the reducer.
  public func makeModel() throws(ReplayError) -> FeedbackModel<State, Event> {
    FeedbackModel(self)
  }
}
