public import JSONCore
public import StatesCore
public import Timelines

/// Runs a form again: the reducer for events, the recorded patch for closures.
///
/// Undo and redo take the computed state of the entry that came back in the recording, so that a
/// branch undoes what it computed itself.
///
/// ```swift
/// var model = FormModel(StateForm(state: [1]))
/// let event = try JSONSlice(
///   validating: Array(
///     #"{"apply":{"patch":[{"op":"add","path":"/1","value":2}]}}"#.utf8))
/// _ = model.handle(try model.decode(event))
/// assert(model.state == [1, 2])
/// ```
public struct FormModel<State: Codable, Event: Decodable>: MachineModel {
  /// What a form's entry stands for.
  public enum Action {
    /// An event for the reducer.
    case event(Event)
    /// What a closure did; nil when it was not captured.
    case change(Patch?)
    /// Going back, or forward again, to the state of an entry.
    case back(word: String, to: Int64)
  }

  /// The state of an entry, and the number that the entry has in what is computed.
  private struct Moment {
    let state: State
    let seq: Int64
  }

  private let form: StateForm<State, Event>
  private let declared: StateOutputs<State>
  private let first: State
  private var moments: [Int64: Moment] = [:]
  /// The entries of `moments`, oldest first.
  private var order: [Int64] = []
  private let rememberedLimit: Int

  /// The state as it is now.
  public private(set) var state: State

  /// How many states are kept for undo unless said otherwise.
  ///
  /// A recording does not say how far its undo reaches: a group of changes counts as one. Most of a
  /// state is shared with the one before, so that ten thousand cost little.
  public static var defaultRememberedLimit: Int { 10_000 }

  /// Runs a fresh form.
  public init(
    _ form: StateForm<State, Event>, outputs: Outputs<State> = Outputs([]),
    rememberedLimit: Int = FormModel.defaultRememberedLimit
  ) {
    self.form = form
    self.rememberedLimit = max(1, rememberedLimit)
    declared = StateOutputs(outputs)
    first = form.state
    state = first
  }

  /// The outputs that have a value.
  public var outputs: [RecordedOutput] { declared.values(in: state) }

  /// The outputs that were given.
  public var outputKinds: [Header.Output] { declared.kinds }

  /// Takes the form's first state.
  public mutating func start() throws(ReplayError) {
    state = first
  }

  /// Reads what was done.
  public func decode(_ event: JSONSlice) throws(ReplayError) -> Action {
    let word = FormWords.onlyKey(of: event)
    guard let word, let body = event[word] else { return .event(try decodeEvent(from: event)) }
    switch word {
    case "undo", "redo":
      if let seq = body["to"]?.int { return .back(word: word, to: seq) }
      return .change(try decodePatch(in: body, of: word))
    case "apply":
      return .change(try decodePatch(in: body, of: word))
    case "event":
      guard let inner = body["_0"] else {
        throw ReplayError(.undecodableEvent(name: word, why: "it has no '_0'"))
      }
      return .event(try decodeEvent(from: inner))
    default:
      return .event(try decodeEvent(from: event))
    }
  }

  private func decodePatch(in body: JSONSlice, of word: String) throws(ReplayError) -> Patch? {
    guard let patch = body["patch"] else { return nil }
    do {
      return try Patch(patch)
    } catch {
      throw ReplayError(.undecodableEvent(name: word, why: "\(error)"))
    }
  }

  /// Does it again; the state stays what it is where that can not be.
  public mutating func handle(_ action: Action) -> String? {
    switch action {
    case .event(let event):
      state = form.replay(event, in: state)
      return nil
    case .change(let patch?):
      return apply(patch)
    case .change(nil):
      return "What this change did was not captured, so it can not be done again."
    case .back(let word, let seq):
      guard let moment = moments[seq] else {
        return """
          The \(word) goes to the state of entry \(seq), which is not part of this or further back \
          than \(rememberedLimit) entries.
          """
      }
      state = form.returning(from: state, to: moment.state)
      return nil
    }
  }

  private mutating func apply(_ patch: Patch) -> String? {
    do {
      var json = try JSON(parsing: CanonicalEncoder().encode(state))
      try json.apply(patch)
      state = try CanonicalDecoder().decode(State.self, from: json)
      return nil
    } catch let error as PatchError {
      return "The recorded change does not apply to this state: \(error)"
    } catch {
      return "The recorded change gives a state that today's type does not have: \(sentence(error))"
    }
  }

  /// Takes a state as given.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    self.state = try decodeState(from: state)
  }

  /// Keeps the state for an undo that goes back to it.
  public mutating func note(source: Int64?, seq: Int64) {
    // An inserted entry has no number that a recorded event could name.
    if let source { keep(state, as: source, seq) }
  }

  /// The entry that an undo goes to, when its state is not known.
  public func missing(for event: Action) -> Int64? {
    if case .back(_, let seq) = event, moments[seq] == nil { seq } else { nil }
  }

  /// Takes note of the state of an entry before those that are computed.
  public mutating func remember(
    _ state: JSONSlice, as source: Int64, seq: Int64
  ) throws(ReplayError) {
    keep(try decodeState(from: state), as: source, seq)
  }

  /// An undo names its entry by the number it has in what is computed.
  public func rewritten(_ event: Action) -> [UInt8]? {
    guard case .back(let word, let seq) = event, let moment = moments[seq], moment.seq != seq else {
      return nil
    }
    return FormWords.back(word, to: moment.seq)
  }

  private mutating func keep(_ state: State, as source: Int64, _ seq: Int64) {
    if moments.updateValue(Moment(state: state, seq: seq), forKey: source) == nil {
      order.append(source)
    }
    guard order.count > 2 * rememberedLimit else { return }
    // Half at once, so that moving the rest is cheap on average.
    for old in order.prefix(order.count - rememberedLimit) { moments[old] = nil }
    order.removeFirst(order.count - rememberedLimit)
  }
}

extension StateForm: ReplayableMachine where State: Codable, Event: Decodable {
  /// A form.
  public static var kind: MachineKind { .form }

  /// Runs the form's reducer, beginning with the form's state.
  public func makeModel() throws(ReplayError) -> FormModel<State, Event> { FormModel(self) }
}
