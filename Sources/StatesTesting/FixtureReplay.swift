internal import Foundation
internal import JSONCore
internal import Replaying
internal import Timelines

/// Replays every entry of a fixture with the current code, and compares the results with it.
struct FixtureReplay {
  private let fixture: Fixture
  private let replayer: any Replayer
  private let comparison: ReplayComparison.Kind
  private let accepted: Int64
  private let place: Place
  private let isRerecording: Bool

  private var report = ReplayReport()
  private var recorded: TimelineCursor
  private var hasState = false
  private var rerun = RerunComparison(isEqual: nil)
  private var hidden: [Pointer] = []
  /// Whether a stand-in entered the state, so that differences may come from it.
  private var hasStandIns = false
  private var drafts: [EntryDraft] = []
  private var differs = false
  private var progress: ReplayProgress
  private var conditions: [ConditionCheck]
  /// Whether only the conditions are checked, so that values may differ from the recorded ones.
  private let mayDiffer: Bool
  /// The entries whose event started no effect, or was left out.
  private var idle: Set<Int64> = []
  /// The last entry that was replayed, with the values around it; only set if there are conditions.
  private var moment: ReplayedMoment?

  init(
    _ fixture: Fixture, _ replayer: any Replayer, _ comparison: ReplayComparison?,
    _ acceptance: ReplayAcceptance, expecting conditions: [ReplayCondition] = [], _ place: Place,
    isRerecording: Bool = FixtureReplay.isRerecording
  ) throws {
    let isRerecording = isRerecording && fixture.url != nil
    mayDiffer = comparison == nil && !conditions.isEmpty
    let comparison = comparison ?? .outputs
    self.conditions = isRerecording ? [] : try conditions.map { try ConditionCheck($0) }
    self.fixture = fixture
    self.replayer = replayer
    self.place = place
    let header = fixture.timeline.header
    // The outputs of a chart or a feedback system describe the last event, not the value.
    let outputsDescribeState =
      !header.outputs.isEmpty && !["statechart", "feedback"].contains(header.machine.kind)
    self.comparison =
      comparison.kind == .outputs && !outputsDescribeState ? .state : comparison.kind
    if case .from(let seq) = acceptance { accepted = Int64(seq) } else { accepted = .max }
    recorded = TimelineCursor(fixture.timeline)
    progress = ReplayProgress(fixture.name, count: fixture.timeline.entries.count)
    self.isRerecording = isRerecording
  }

  /// Whether the environment asks to record the fixtures again.
  static var isRerecording: Bool {
    let word = ProcessInfo.processInfo.environment["STATES_RERECORD"] ?? ""
    return !["", "0", "false", "no"].contains(word)
  }

  mutating func run() throws -> ReplayReport {
    report.entries = fixture.timeline.entries.count
    do {
      for entry in fixture.timeline.entries {
        progress.step()
        try replay(entry)
      }
      try checkFinalConditions()
    } catch is ReplayStopped {
      return report
    }
    if isRerecording {
      if differs || report.accepted > 0 { try rerecord() }
    } else if report.same == 0, report.accepted == 0 {
      throw FixtureError(.nothingCompared, in: fixture.name)
    }
    return report
  }

  private mutating func rerecord() throws {
    try fixture.replace(with: drafts)
    report.isRerecorded = true
    log("rerecorded")
  }

  private func log(_ sentence: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(fixture.name): \(sentence)\n".utf8))
  }

  private mutating func replay(_ entry: Entry) throws {
    if entry.gap != nil {
      hasState = false
      replayer.forget()
    }
    hidden += entry.redacted.map(\.pointer)
    if entry.redacted.contains(where: { ["event", "state"].contains($0.pointer.tokens.first) }) {
      hasStandIns = true
    }
    guard !isSkipped(entry) else {
      skipTrap(entry)
      return
    }
    guard !isPrevented(entry) else {
      drop(entry)
      return
    }
    guard hasState || entry.state != nil else {
      // Nothing can run before the first known state.
      keepUnchecked(entry)
      return
    }
    var isGiven = !hasState || entry.isFixedPoint || entry.event == nil
    var draft: EntryDraft
    do {
      var entry = entry
      if !isGiven, let event = entry.event, try !canRestoreStates(for: event, at: entry.seq) {
        guard let known = try entryWithState(entry) else {
          keepUnchecked(entry)
          return
        }
        (entry, isGiven) = (known, true)
      }
      draft = try step(entry, isGiven: isGiven)
    } catch {
      try stop(at: entry, error)
      return
    }
    if isGiven { draft.error = entry.error }
    if !isGiven, replayer.startedEffect == false { idle.insert(entry.seq) }
    draft.was = entry.was
    draft.gap = entry.gap
    draft.ns = entry.ns
    draft.omitted = nil
    if draft.redacted.isEmpty { draft.redacted = entry.redacted }
    hasState = true
    if isRerecording { drafts.append(draft) }
    try checkConditions(draft, of: entry)
    try compare(draft, with: entry, isGiven: isGiven)
  }

  /// The last entry that is replayed.
  private var lastSeq: Int64? { fixture.timeline.entries.last { !isSkipped($0) }?.seq }

  /// Keeps an entry as it was recorded, because its state today is unknown.
  private mutating func keepUnchecked(_ entry: Entry) {
    hasState = false
    moment = nil
    rerun.restart(isEqual: nil)
    replayer.forget()
    report.inconclusive += 1
    drafts.append(EntryDraft(entry))
  }

  /// Whether an entry is skipped because it trapped in the app: it would end the process of the tests.
  private func isSkipped(_ entry: Entry) -> Bool {
    entry.error == "trapped" && (entry.seq < accepted || isRerecording)
  }

  /// Whether an effect sent the event, and the code of today no longer starts one. Only a test that
  /// compares no recorded values can do without it.
  private func isPrevented(_ entry: Entry) -> Bool {
    guard mayDiffer, !isRerecording, entry.event != nil,
      let cause = entry.cause(in: fixture.timeline.header.timeline)
    else { return false }
    return idle.contains(cause)
  }

  private mutating func drop(_ entry: Entry) {
    idle.insert(entry.seq)
    rerun.restart(isEqual: nil)
    report.inconclusive += 1
    log("entry \(entry.seq) is left out, because what caused it starts no effect any more")
  }

  private mutating func skipTrap(_ entry: Entry) {
    keepUnchecked(entry)
    report.trapped = Int(entry.seq)
    let event = entry.event.map { shortened($0.text) } ?? ""
    log(Self.trapAdvice(event: event, seq: entry.seq))
  }

  static func trapAdvice(event: String, seq: Int64) -> String {
    """
    the app trapped while it handled \(event) (entry \(seq)), so the test skips it. \
    To run it, pass accepting: .from(\(seq)).
    """
  }

  /// Whether the states to which an event returns are known.
  private func canRestoreStates(for event: JSONSlice, at seq: Int64) throws -> Bool {
    guard let missing = try replayer.missing(for: event) else { return true }
    guard missing < seq, let state = fixture.timeline.state(at: missing) else { return false }
    try replayer.remember(JSONSlice(validating: state.encoded()), as: missing)
    return true
  }

  /// The entry with its whole state; `nil` if that was not captured.
  private mutating func entryWithState(_ entry: Entry) throws -> Entry? {
    if entry.state != nil { return entry }
    guard case .known(let snapshot)? = recorded.move(to: entry.seq) else { return nil }
    var draft = EntryDraft(entry)
    (draft.patch, draft.outputs) = (nil, nil)
    draft.state = snapshot.state.encoded()[...]
    let hasOutputs = snapshot.outputs.object?.isEmpty == false
    draft.outputState = hasOutputs ? snapshot.outputs.encoded()[...] : nil
    return try draft.entry()
  }

  private func step(_ entry: Entry, isGiven: Bool) throws -> EntryDraft {
    var action = PlannedStep.Action.take(entry)
    if !isGiven, let event = entry.event { action = .reduce(event) }
    return try replayer.run(
      PlannedStep(
        seq: entry.seq, was: entry.seq, t: entry.t, action: action, cause: entry.cause,
        origin: entry.origin, at: entry.at))
  }

  /// Handles an entry that the current code cannot run, which counts as a difference.
  private mutating func stop(at entry: Entry, _ error: any Error) throws {
    hasState = false
    rerun.restart(isEqual: nil)
    replayer.forget()
    if entry.seq >= accepted, !isRerecording {
      report.accepted += 1
      return
    }
    // It cannot be rerecorded, either.
    try fail(at: entry, ["It cannot be run: \(error)"], mayAccept: !isRerecording)
  }

  private mutating func compare(
    _ draft: EntryDraft, with entry: Entry, isGiven: Bool
  ) throws {
    let isCompared = comparison != .final || entry.seq == lastSeq
    // A new recording must be checked at every entry, whatever the test compares.
    guard isCompared || isRerecording else {
      rerun.restart(isEqual: nil)
      return
    }
    let finding = rerun.check(entry, patch: draft.patch, outputs: draft.outputs)
    guard finding != .unknown else {
      report.inconclusive += 1
      return
    }
    let wrong = ErrorDifference.lines(from: entry, to: draft.error)
    if !isGiven, !wrong.isEmpty {
      rerun.restart(isEqual: nil)
      try count(entry, differences: wrong)
      return
    }
    guard finding == .undecided else {
      report.same += 1
      return
    }
    guard case .known(let before)? = recorded.move(to: entry.seq) else {
      report.inconclusive += 1
      return
    }
    let now = try replayer.snapshot()
    let isEqual = rerun.compare(before, now)
    try count(entry, differences: isEqual ? [] : differences(from: before, to: now))
  }

  /// The differences in the values that the test compares.
  private func differences(from before: Snapshot, to now: Snapshot) throws -> [String] {
    let (before, now) = (before.masking(hidden), now.masking(hidden))
    let outputs = Difference.all(from: before.outputs, to: now.outputs, below: "outputs")
    switch comparison {
    case .outputs: return outputs.map(\.text)
    case .state, .final:
      let state = Difference.all(from: before.state, to: now.state, below: "state")
      return (outputs + state).map(\.text)
    case .paths(let paths):
      return try paths.flatMap { path in
        let pointer = try Pointer(path)
        return Difference.all(
          from: try before.value(at: pointer), to: try now.value(at: pointer), at: pointer)
      }.map(\.text)
    }
  }

  private mutating func count(_ entry: Entry, differences lines: [String]) throws {
    if lines.isEmpty {
      report.same += 1
      if rerun.isEqual != true { differs = true }
    } else if mayDiffer || entry.seq >= accepted {
      report.accepted += 1
    } else if isRerecording {
      differs = true
      report.accepted += 1
    } else if hasStandIns {
      report.inconclusive += 1
    } else {
      try fail(at: entry, lines, mayAccept: true)
    }
  }

  private func fail(at entry: Entry, _ lines: [String], mayAccept: Bool) throws {
    let event = entry.event.map { shortened($0.text) } ?? "a state from outside"
    var text = "\(fixture.name): after event \(event) (entry \(entry.seq)):\n"
    for line in lines { text += "  \(line)\n" }
    text += "  at \(place)"
    if mayAccept {
      text += "\n  To accept differences from here on, pass accepting: .from(\(entry.seq))."
      if fixture.url != nil { text += " To record it again, run the test with STATES_RERECORD=1." }
    }
    // A failure hook does not throw, and the replay would report every following entry, too.
    try place.report(text)
    throw ReplayStopped()
  }
}

// MARK: Conditions

extension FixtureReplay {
  private mutating func checkConditions(_ draft: EntryDraft, of entry: Entry) throws {
    guard !conditions.isEmpty else { return }
    let now = ReplayedMoment(
      entry: try draft.entry().line, before: entry.gap == nil ? moment?.after : nil,
      after: try replayer.snapshot(), hidden: hidden)
    moment = now
    for index in conditions.indices where conditions[index].time != .finally {
      let broken = conditions[index].problem(at: now)
      if !broken.isEmpty { try fail(at: entry, broken, mayAccept: false) }
    }
  }

  /// Checks the final conditions, and that every condition had an answer.
  private mutating func checkFinalConditions() throws {
    for index in conditions.indices {
      if conditions[index].time == .finally {
        guard let moment, let last = fixture.timeline.entries.last(where: { !isSkipped($0) }) else {
          throw FixtureError(.nothingCompared, in: fixture.name)
        }
        let broken = conditions[index].problem(at: moment)
        if !broken.isEmpty { try fail(at: last, broken, mayAccept: false) }
      }
      if !conditions[index].wasDecided { throw FixtureError(.nothingCompared, in: fixture.name) }
    }
  }
}

/// Ends a replay after the failure hook received its failure.
struct ReplayStopped: Error {}
