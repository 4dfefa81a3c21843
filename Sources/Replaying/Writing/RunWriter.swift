public import JSONCore
public import StatesCore
public import Timelines

/// Turns the steps of a machine into the entries of a timeline.
///
/// It is a value: it knows the entry before, and nothing of clocks, threads or connections. A
/// recorder feeds it with what the machine's tap gave; a test with what middleware sees.
///
/// ```swift
/// struct Coin: Reducible, Codable {
///   var isHeads = true
///   enum Event: String, Codable { case flipped }
///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
/// }
/// let machine = Machine(Coin())
/// var writer = RunWriter(StatesAppearance<Coin>(), of: machine.kernel)
/// var drafts = [try writer.begin(with: machine.state, after: nil, t: 0)]
/// machine.kernel.use { step in
///   if let draft = try? writer.write(step, t: 10) { drafts.append(draft) }
/// }
/// machine.send(.flipped)
/// assert(drafts.count == 2)
/// ```
public struct RunWriter<Appearance: MachineAppearance> {
  /// How the machine appears.
  public let appearance: Appearance

  /// The number of the machine's step that is entry 0.
  public let base: Int

  private let identity: UInt
  private var entries: EntryWriter<Appearance.Recorded>
  /// The last call site, and how it is written: most events come from few places.
  private var site: (place: CallSite, text: String)?

  /// Whether anything is hidden.
  package var isRedacting: Bool { entries.isRedacting }

  /// Whether there was no room for all that was hidden, so that more than that is hidden.
  package var hidesMoreThanSecrets: Bool { entries.hidesMoreThanSecrets }

  /// What was hidden so far, for the next writer of the same machine: what was hidden once must not
  /// be seen in its next timeline either.
  package var redactionMemory: RedactionMemory? {
    get { entries.redactionMemory }
    set { entries.redactionMemory = newValue }
  }

  /// A writer for a machine that is known by `identity`, and whose step `base` is entry 0.
  public init(
    _ appearance: Appearance, identity: UInt, base: Int,
    encoder: CanonicalEncoder = CanonicalEncoder(), redaction: RedactionRules = []
  ) {
    self.appearance = appearance
    self.identity = identity
    self.base = base
    entries = EntryWriter(
      hasOutputs: !appearance.outputKinds.isEmpty, encoder: encoder,
      redaction: redaction)
  }

  /// A writer for a machine as it stands: its last step is entry 0.
  public init(
    _ appearance: Appearance, of kernel: Kernel<Appearance.State, Appearance.Input>,
    encoder: CanonicalEncoder = CanonicalEncoder(), redaction: RedactionRules = []
  ) {
    self.init(
      appearance, identity: kernel.identity, base: kernel.number, encoder: encoder,
      redaction: redaction)
  }

  /// Entry 0: the state the recording begins with, and the input that led to it where one did.
  public mutating func begin(
    with state: Appearance.State, after input: Appearance.Input?, t: Int64
  ) throws -> EntryDraft {
    var draft = EntryDraft(seq: 0, t: t)
    try capture(state, input, nil, into: &draft)
    return draft
  }

  /// The entry of a step.
  ///
  /// A restored state is that of the moment `restored`; one the app restored by itself is a jump.
  /// `elsewhere` names the entry that stands for another machine's step. When it throws, the state
  /// or the event could not be encoded, and nothing was written; the step's seq is then to be
  /// written thinned, or counted as lost.
  public mutating func write(
    _ step: Step<Appearance.State, Appearance.Input>, t: Int64,
    restored: EntryReference? = nil,
    elsewhere: (Cause) -> EntryReference? = { _ in nil }
  ) throws -> EntryDraft {
    try write(
      step.input, step.after, step.details, t: t, restored: restored, elsewhere: elsewhere)
  }

  /// The entry of a step, from its parts.
  public mutating func write(
    _ input: Appearance.Input?, _ after: Appearance.State, _ details: StepDetails, t: Int64,
    restored: EntryReference? = nil,
    elsewhere: (Cause) -> EntryReference? = { _ in nil }
  ) throws -> EntryDraft {
    var draft = draft(of: details, t: t, elsewhere)
    if input == nil {
      draft.restored = restored
      draft.isJump = restored == nil
    }
    try capture(after, input, details.error, into: &draft)
    return draft
  }

  /// The entry of a step whose state was not captured.
  public mutating func writeThinned(
    _ input: Appearance.Input, _ details: StepDetails, t: Int64,
    elsewhere: (Cause) -> EntryReference? = { _ in nil }
  ) throws -> EntryDraft {
    var draft = draft(of: details, t: t, elsewhere)
    let (appearance, base) = (appearance, base)
    try entries.captureThinned(
      { patch in
        let context = EventContext(patch: patch, base: base, error: details.error)
        return try appearance.event(input, in: context)[...]
      }, into: &draft)
    return draft
  }

  /// Makes the next captured entry a keyframe, which says what changed all the same.
  public mutating func forceKeyframe() { entries.forceKeyframe() }

  /// Notes that entries were lost.
  public mutating func lost() { entries.lost() }

  /// What is hidden: by the rules that were given, and those that the type of the state declares.
  package var redaction: RedactionRules { entries.redactionRules }

  private mutating func capture(
    _ state: Appearance.State, _ input: Appearance.Input?, _ error: (any Error)?,
    into draft: inout EntryDraft
  ) throws {
    let appearance = appearance
    let context = { [base] patch in EventContext(patch: patch, base: base, error: error) }
    let event: EntryWriter<Appearance.Recorded>.EventWriting? =
      if draft.seq > 0, let input {
        { patch in try appearance.event(input, in: context(patch))[...] }
      } else {
        nil
      }
    try entries.capture(
      appearance.recorded(state), { appearance.outputs(of: state, after: input) }, event: event,
      into: &draft)
  }

  private mutating func draft(
    of details: StepDetails, t: Int64, _ elsewhere: (Cause) -> EntryReference?
  ) -> EntryDraft {
    var draft = EntryDraft(seq: Int64(details.number - base), t: t)
    draft.origin = EntryOrigin(details.origin.rawValue)
    draft.at = text(of: details.callSite)
    draft.error = details.error.map { "\($0)" }
    if let cause = details.cause {
      if cause.machine != identity {
        draft.cause = elsewhere(cause).map(EntryCause.elsewhere)
      } else if cause.number >= base, cause.number < details.number {
        draft.cause = .here(Int64(cause.number - base))
      }
    }
    return draft
  }
}

extension RunWriter {
  private mutating func text(of place: CallSite) -> String {
    if let site, site.place.isIdentical(to: place) { return site.text }
    let text = place.description
    site = (place, text)
    return text
  }
}

extension RunWriter: Sendable where Appearance: Sendable {}
