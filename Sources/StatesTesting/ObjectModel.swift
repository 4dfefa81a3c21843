internal import JSONCore
internal import Replaying
internal import StatesCore

/// Runs an object again: its states are applied for real, with their closures.
///
/// Every transition waits until the recording says that it is over. What the object does by itself
/// in between, such as applying a state from a closure, has to be what comes next in the recording.
struct ObjectModel<Object: Stateful>: MachineModel {
  /// What happened, read; the state that is applied is made before anything happens.
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
      if run.steps.isEmpty { try run.drive(event) }
    } catch {
      return "\(error)"
    }
    guard !run.steps.isEmpty else {
      // What the world did to a transition is not done again; it changed nothing.
      if case .failed(let error) = event.event { return "\(error)" }
      return "This does not happen any more: \(event.event.word)."
    }
    let step = run.steps.removeFirst()
    state = step.after
    if step.word != event.event.word {
      return "Instead of \(event.event.word), \(step.word) happens."
    }
    return step.error ?? event.error.map { "\($0)" }
  }

  mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    // An object cannot be put into a state; it can only begin as it did.
    guard self.state.applied == 0, state["applied"]?.int == 0 else { throw Self.notFresh }
  }

  private static var notFresh: ReplayError {
    ReplayError(
      .notReplayable(
        why: """
          An object can only be run from the beginning. To fix, export from entry 0 on, or without \
          the expression that makes the object.
          """))
  }
}

/// An object, and what happens to it.
private final class ObjectRun<Object: Stateful> {
  struct Step {
    let word: String
    let after: DispatcherState<FunctionalArguments>
    let error: String?
  }

  private let object: Object
  private var completion: ((Bool) -> Void)?
  /// What happened and was not compared yet.
  var steps: [Step] = []

  init(_ object: Object) {
    self.object = object
    object.state.kernel.use { [weak self] step in
      guard let event = step.input?.event else { return }
      self?.steps.append(
        Step(word: event.word, after: step.after, error: step.details.error.map { "\($0)" }))
    }
  }

  /// Does what the recording says that somebody did.
  func drive(_ event: ObjectModel<Object>.Event) throws {
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

/// Keeps the decoder that it is read by: one is only to be had inside of a decoding.
private struct Captured: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}

extension DispatcherEvent {
  /// What happened, in a word.
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
