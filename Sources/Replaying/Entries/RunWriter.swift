public import JSONCore
public import StatesCore
public import Timelines

/// Turns the steps of a machine into entries.
///
/// A value type without clocks, threads, or connections. A recorder passes it the steps of a
/// machine's tap; a test passes it those of middleware.
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
  /// The machine's appearance.
  public let appearance: Appearance

  /// The number of the machine's step with entry 0.
  public let base: Int

  private let identity: UInt
  private var entries: EntryWriter<Appearance.Recorded>
  /// The last call site and its text, cached because most events come from few places.
  private var site: (place: CallSite, text: String)?

  package var isRedacting: Bool { entries.isRedacting }

  /// Which redaction rules have matched; `nil` without redaction.
  package var ruleUse: RuleUse? { entries.ruleUse }

  /// Whether the memory for secrets is full, so that more than the secrets is hidden.
  package var hidesMoreThanSecrets: Bool { entries.hidesMoreThanSecrets }

  /// The secrets so far, for the next writer of the same machine, whose timeline must not show them
  /// either.
  package var redactionMemory: RedactionMemory? {
    get { entries.redactionMemory }
    set { entries.redactionMemory = newValue }
  }

  /// Creates a writer for the machine with this `identity`, whose step `base` becomes entry 0.
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

  /// Creates a writer for a machine, whose last step becomes entry 0.
  public init(
    _ appearance: Appearance, of kernel: Kernel<Appearance.State, Appearance.Input>,
    encoder: CanonicalEncoder = CanonicalEncoder(), redaction: RedactionRules = []
  ) {
    self.init(
      appearance, identity: kernel.identity, base: kernel.number, encoder: encoder,
      redaction: redaction)
  }

  /// Returns entry 0: the first state of the recording, and the input that led to it, if any.
  public mutating func begin(
    with state: Appearance.State, after input: Appearance.Input?, t: Int64
  ) throws -> EntryDraft {
    var draft = EntryDraft(seq: 0, t: t)
    try capture(state, input, nil, into: &draft)
    return draft
  }

  /// Returns the entry of a step.
  ///
  /// `restored` is the moment of a restored state; if the app restored it by itself, the entry is a
  /// jump. `elsewhere` returns the entry of another machine's step. Throws if the state or the event
  /// cannot be encoded; then write the step thinned, or count it as lost.
  public mutating func write(
    _ step: Step<Appearance.State, Appearance.Input>, t: Int64,
    restored: EntryReference? = nil,
    elsewhere: (Cause) -> EntryReference? = { _ in nil }
  ) throws -> EntryDraft {
    try write(
      step.input, step.after, step.details, t: t, restored: restored, elsewhere: elsewhere)
  }

  /// Returns the entry of a step, from its parts.
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

  /// Returns the entry of a step whose state was not captured.
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

  /// Makes the next captured entry a keyframe that also has its changes.
  public mutating func forceKeyframe() { entries.forceKeyframe() }

  /// Records that entries were lost.
  public mutating func lost() { entries.lost() }

  /// The given rules, and those that the type of the state declares.
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
