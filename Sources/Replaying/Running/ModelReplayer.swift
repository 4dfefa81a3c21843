public import JSONCore
public import Timelines

/// Runs the model of one kind of machine, and writes entries.
///
/// ```swift
/// let replayer = ModelReplayer(FunctionalModel())
/// let first = try replayer.begin()
/// assert(first.state != nil)
/// ```
public final class ModelReplayer<Model: MachineModel>: Replayer {
  var model: Model
  private var writer: EntryWriter<Model.State>
  var hasState = false
  /// The outputs of a recorded state, if they do not follow from it.
  var given: [RecordedOutput]?
  /// Whether the model has made steps that the writer does not have.
  var isWriterBehind = false

  /// Creates a replayer without a state.
  ///
  /// Redacts computed values with the given rules and those that the type of the state declares,
  /// without hashes, which would be hashes of stand-ins.
  public init(
    _ model: Model, encoder: CanonicalEncoder = CanonicalEncoder(), redaction: RedactionRules = []
  ) {
    self.model = model
    let rules = redaction + RedactionRules(declaredBy: Model.State.self)
    writer = EntryWriter(
      hasOutputs: !model.outputKinds.isEmpty, encoder: encoder,
      redaction: RedactionRules(rules.rules))
  }

  /// Whether the machine has values that are hidden.
  var hidesValues: Bool { writer.isRedacting }

  /// Whether the last step started an effect; `nil` if the machine cannot tell.
  public var startedEffect: Bool? { model.startedEffect }

  /// The outputs that the machine can have, for a header.
  public var outputKinds: [Header.Output] { model.outputKinds }

  /// Starts with a new machine, and returns its first entry.
  public func begin(seq: Int64, t: Int64) throws(ReplayError) -> EntryDraft {
    try model.start()
    hasState = true
    given = nil
    isWriterBehind = false
    var draft = EntryDraft(seq: seq, t: t)
    writer.lost()
    try capture(into: &draft)
    model.didReach(source: seq, seq: seq)
    return draft
  }

  /// Starts after a moment that already has an entry.
  public func load(
    state: JSONSlice, outputs: JSONSlice?, seq: Int64?
  ) throws(ReplayError) {
    try restore(state, outputs)
    try catchUp(seq)
    if let seq { model.didReach(source: seq, seq: seq) }
  }

  /// Sets the writer's state to the current one. The next entry is a keyframe.
  private func catchUp(_ seq: Int64?) throws(ReplayError) {
    do {
      try writer.load(model.state, currentOutputs)
    } catch {
      throw ReplayError(Self.unencodable(error, writer.isRedacting), at: seq)
    }
    isWriterBehind = false
  }

  /// Drops the state, because entries were lost. The next step must have a recorded state.
  public func forget() {
    hasState = false
    isWriterBehind = false
    writer.lost()
  }

  /// Makes one step, and returns its entry.
  public func run(_ step: PlannedStep) throws(ReplayError) -> EntryDraft {
    try run(step, read: nil)
  }

  /// Makes one step, whose event may already be decoded.
  func run(_ step: PlannedStep, read: Model.Event?) throws(ReplayError) -> EntryDraft {
    if isWriterBehind { try catchUp(step.seq) }
    var draft = step.draft
    var event: EntryWriter<Model.State>.EventWriting?
    do throws(ReplayError) {
      switch step.action {
      case .take(let entry):
        guard let state = entry.state else { throw ReplayError(.stateMissing) }
        try restore(state, entry.outputState)
        draft.event = entry.event?.bytes
        draft.state = nil
        draft.outputState = nil
      case .reduce(let slice):
        guard hasState else { throw ReplayError(.noState) }
        event = try reduce(slice, read, into: &draft)
      }
      try capture(into: &draft, event)
    } catch {
      throw ReplayError(error.reason, at: step.seq)
    }
    model.didReach(source: step.was, seq: step.seq)
    return draft
  }

  /// Makes one step without computing its changes, which are most of the work.
  public func pass(_ step: PlannedStep) throws(ReplayError) {
    do throws(ReplayError) {
      switch step.action {
      case .take(let entry):
        guard let state = entry.state else { throw ReplayError(.stateMissing) }
        try restore(state, entry.outputState)
      case .reduce(let event):
        guard hasState else { throw ReplayError(.noState) }
        let event = try decode(event)
        given = nil
        _ = model.handle(event)
      }
    } catch {
      throw ReplayError(error.reason, at: step.seq)
    }
    isWriterBehind = true
    model.didReach(source: step.was, seq: step.seq)
  }

  /// Makes the step and compares its changes, without writing an entry.
  public func confirms(_ entry: Entry) throws(ReplayError) -> Bool {
    guard hasState, let slice = entry.confirmableEvent else { return false }
    if isWriterBehind { try catchUp(entry.seq) }
    let isSame = try Self.confirms(entry, slice, &model, &writer)
    given = nil
    return isSame
  }

  /// Takes the model and the writer as `inout`, because accessing them in `self` would copy them.
  private static func confirms(
    _ entry: Entry, _ slice: JSONSlice, _ model: inout Model,
    _ writer: inout EntryWriter<Model.State>
  ) throws(ReplayError) -> Bool {
    do throws(ReplayError) {
      let event = try DecodingSentence.reading(hidesValues: writer.isRedacting) {
        () throws(ReplayError) in try model.decode(slice)
      }
      guard model.missing(for: event) == nil, model.handle(event) == entry.error else {
        return false
      }
    } catch {
      throw ReplayError(error.reason, at: entry.seq)
    }
    let isSame: Bool
    do {
      isSame = try writer.confirms(entry, model.state, model.outputs)
    } catch {
      throw ReplayError(unencodable(error, writer.isRedacting), at: entry.seq)
    }
    model.didReach(source: entry.seq, seq: entry.seq)
    return isSame
  }

  /// Makes a step. Returns how to write its event, if it has `Redacted` values.
  private func reduce(
    _ slice: JSONSlice, _ read: Model.Event?, into draft: inout EntryDraft
  ) throws(ReplayError) -> EntryWriter<Model.State>.EventWriting? {
    let event = if let read { read } else { try decode(slice) }
    draft.event = model.rewritten(event)?[...] ?? slice.bytes
    given = nil
    let clock = ContinuousClock()
    let start = clock.now
    draft.error = model.handle(event)
    let (seconds, attoseconds) = start.duration(to: clock.now).components
    draft.ns = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    return RedactionMarks.wereDecoded ? Self.hiding(event) : nil
  }

  private func restore(_ state: JSONSlice, _ outputs: JSONSlice?) throws(ReplayError) {
    try DecodingSentence.reading(hidesValues: writer.isRedacting) {
      () throws(ReplayError) in try model.restore(state)
    }
    hasState = true
    given = Model.outputsFollowFromState ? nil : RecordedOutput.list(in: outputs)
  }

  private var currentOutputs: [RecordedOutput] { given ?? model.outputs }

  private func capture(
    into draft: inout EntryDraft, _ event: EntryWriter<Model.State>.EventWriting? = nil
  ) throws(ReplayError) {
    do {
      try writer.capture(model.state, { currentOutputs }, event: event, into: &draft)
    } catch {
      throw ReplayError(Self.unencodable(error, writer.isRedacting))
    }
  }

  /// The current state and outputs.
  public func snapshot() throws(ReplayError) -> Snapshot {
    guard hasState else { throw ReplayError(.noState) }
    if isWriterBehind { try catchUp(nil) }
    do {
      let (state, outputs) = try writer.fullBytes()
      return Snapshot(state: try JSON(parsing: state), outputs: try JSON(parsing: outputs))
    } catch {
      throw ReplayError(Self.unencodable(error, writer.isRedacting))
    }
  }

  /// The recorded entry whose state an event needs, if this replayer does not have it.
  public func missing(for event: JSONSlice) throws(ReplayError) -> Int64? {
    model.missing(for: try decode(event))
  }

  /// Adds the state of an earlier entry.
  public func remember(
    _ state: JSONSlice, as source: Int64, seq: Int64
  ) throws(ReplayError) {
    try DecodingSentence.reading(hidesValues: writer.isRedacting) {
      () throws(ReplayError) in try model.remember(state, as: source, seq: seq)
    }
  }
}

// Redaction.
extension ModelReplayer {
  /// How to write an event with `Redacted` values, which the sender of the event may have shown.
  private static func hiding(_ event: Model.Event) -> EntryWriter<Model.State>.EventWriting? {
    guard let event = event as? any Encodable else { return nil }
    let encoder = CanonicalEncoder()
    guard Redactor.leavesMarks({ _ = try? encoder.encode(event) }) else { return nil }
    return { _ in try encoder.encode(event)[...] }
  }

  /// Decodes an event. Errors contain no values if the machine hides some.
  private func decode(_ event: JSONSlice) throws(ReplayError) -> Model.Event {
    try DecodingSentence.reading(hidesValues: writer.isRedacting) {
      () throws(ReplayError) in try model.decode(event)
    }
  }

  private static func unencodable(
    _ error: any Error, _ isRedacting: Bool
  ) -> ReplayError.Reason {
    .unencodableState(why: isRedacting ? "\(type(of: error))" : "\(error)")
  }
}
