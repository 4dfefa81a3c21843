public import JSONCore
public import StatesCore
public import Timelines

/// Runs a form again: its reducer for events, and the recorded patches for closures.
///
/// Undo and redo restore the computed state of the recorded entry, so that a branch undoes its own
/// changes.
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
  /// A decoded event of a form.
  public enum Action {
    /// An event for the reducer.
    case event(Event)
    /// A closure's change; `nil` if it was not captured.
    case change(Patch?)
    /// An undo or a redo to the state of an entry.
    case back(word: String, to: Int64)
  }

  /// The state of an entry, and the seq of its computed entry.
  private struct Moment {
    let state: State
    let seq: Int64
  }

  private let form: StateForm<State, Event>
  private let declared: StateOutputs<State>
  private let first: State
  private var moments: [Int64: Moment] = [:]
  /// The keys of `moments`, oldest first.
  private var order: [Int64] = []
  private let rememberedLimit: Int

  /// The current state.
  public private(set) var state: State

  /// The default number of states to keep for undo.
  ///
  /// A recording does not have the limit of its undo history, and a group of changes is one step of
  /// it. States share most of their memory with the previous one, so ten thousand cost little.
  public static var defaultRememberedLimit: Int { 10_000 }

  /// Creates a model of a form.
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

  /// The given outputs.
  public var outputKinds: [Header.Output] { declared.kinds }

  /// Sets the form's initial state.
  public mutating func start() throws(ReplayError) {
    state = first
  }

  /// Decodes an event.
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

  /// Performs an action again. If that fails, the state does not change.
  public mutating func handle(_ action: Action) -> String? {
    switch action {
    case .event(let event):
      state = form.replay(event, in: state)
      return nil
    case .change(let patch?):
      return apply(patch)
    case .change(nil):
      return "This change was not captured, so it cannot be applied again."
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

  /// Sets a recorded state.
  public mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    self.state = try decodeState(from: state)
  }

  /// Keeps the state for an undo that restores it.
  public mutating func didReach(source: Int64?, seq: Int64) {
    // A recorded event cannot refer to an inserted entry.
    if let source { keep(state, as: source, seq) }
  }

  /// The entry that an undo restores, if its state is unknown.
  public func missing(for event: Action) -> Int64? {
    if case .back(_, let seq) = event, moments[seq] == nil { seq } else { nil }
  }

  /// Adds the state of an entry before the computed ones.
  public mutating func remember(
    _ state: JSONSlice, as source: Int64, seq: Int64
  ) throws(ReplayError) {
    keep(try decodeState(from: state), as: source, seq)
  }

  /// The undo with the seq of the computed entry.
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
    // Remove half at once, so that moving the rest is cheap on average.
    for old in order.prefix(order.count - rememberedLimit) { moments[old] = nil }
    order.removeFirst(order.count - rememberedLimit)
  }
}

extension StateForm: ReplayableMachine where State: Codable, Event: Decodable {
  /// The kind of forms.
  public static var kind: MachineKind { .form }

  /// Creates a model with the form's state.
  public func makeModel() throws(ReplayError) -> FormModel<State, Event> { FormModel(self) }
}
