internal import JSONCore
internal import Replaying
internal import StatesCore

/// Runs an object again: applies its states, with their closures.
///
/// Every transition waits until it ends in the recording. What the object does by itself meanwhile,
/// such as applying a state from a closure, must be next in the recording.
struct ObjectModel<Object: Stateful>: MachineModel {
  /// A decoded event. The state to apply is decoded before anything happens.
  struct Event {
    let event: DispatcherEvent<RecordedJSON>
    let error: DispatchError?
    let arguments: JSONSlice?
  }

  private let run: ObjectRun<Object>
  private(set) var state: DispatcherState<FunctionalArguments>

  init(_ object: Object) {
    run = ObjectRun(object)
    state = object.state.kernel.state
  }

  mutating func start() throws(ReplayError) {
    guard state.applied == 0 else { throw Self.notFresh }
  }

  func decode(_ event: JSONSlice) throws(ReplayError) -> Event {
    let decoded = try FunctionalModel().decode(event)
    return Event(
      event: decoded.event, error: decoded.error, arguments: event["apply"]?["arguments"])
  }

  mutating func handle(_ event: Event) -> String? {
    do {
      if run.steps.isEmpty { try run.perform(event) }
    } catch {
      return "\(error)"
    }
    guard !run.steps.isEmpty else {
      // A failed transition is not repeated; it changed nothing.
      if case .failed(let error) = event.event { return "\(error)" }
      return "This no longer happens: \(event.event.word)."
    }
    let step = run.steps.removeFirst()
    state = step.after
    if step.word != event.event.word {
      return "Expected \(event.event.word), but \(step.word) happens."
    }
    return step.error ?? event.error.map { "\($0)" }
  }

  mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    // An object cannot be set to a state; it can only start from its beginning.
    guard self.state.applied == 0, state["applied"]?.int == 0 else { throw Self.notFresh }
  }

  private static var notFresh: ReplayError {
    ReplayError(
      .notReplayable(
        why: """
          An object can only be run from its beginning. To fix, export from entry 0 on, or without \
          the expression that makes the object.
          """))
  }
}

private final class ObjectRun<Object: Stateful> {
  struct Step {
    let word: String
    let after: DispatcherState<FunctionalArguments>
    let error: String?
  }

  private let object: Object
  private var completion: ((Bool) -> Void)?
  /// The steps that have not been compared yet.
  var steps: [Step] = []

  init(_ object: Object) {
    self.object = object
    object.state.kernel.use { [weak self] step in
      guard let event = step.input?.event else { return }
      self?.steps.append(
        Step(word: event.word, after: step.after, error: step.details.error.map { "\($0)" }))
    }
  }

  /// Performs an event that came from outside in the recording.
  func perform(_ event: ObjectModel<Object>.Event) throws {
    switch event.event {
    case .apply(let name, _, _):
      let decoder = try event.arguments.map {
        try CanonicalDecoder().decode(Captured.self, from: $0).decoder
      }
      let state = try Object.dispatchableState(named: name, arguments: decoder)
      object.state.apply(
        via: { [weak self] _, mutations, completion in
          self?.completion = completion
          mutations()
        }, state)
    case .completed(_, let finished):
      let completion = self.completion.take()
      completion?(finished)
    case .cleared: object.state.clearPending()
    case .reset: try object.state.reset()
    case .began, .failed: break
    }
  }
}

/// Captures its decoder, which is only available while decoding.
private struct Captured: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}

extension DispatcherEvent {
  /// The event's name in messages.
  fileprivate var word: String {
    switch self {
    case .apply: "apply"
    case .began: "began"
    case .completed(let id, _): "completed \(id)"
    case .cleared: "cleared"
    case .reset: "reset"
    case .failed: "failed"
    }
  }
}
