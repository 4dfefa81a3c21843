internal import Foundation
internal import JSONCore
internal import Replaying
internal import Timelines

/// A replay of a fixture: every entry on today's code, compared with what was recorded.
struct FixtureReplay {
  private let fixture: Fixture
  private let replayer: any Replayer
  private let comparison: ReplayComparison.Kind
  private let accepted: Int64
  private let place: Place
  private let isRecordingAnew: Bool

  private var report = ReplayReport()
  private var recorded: TimelineCursor
  private var hasState = false
  /// Whether the state is the recorded one, when that is known: then equal patches prove that it
  /// stays so.
  private var isEqual: Bool?
  private var hidden: [Pointer] = []
  /// Whether a stand-in was fed into the state, so that what differs may come from that.
  private var hasStandIns = false
  private var drafts: [EntryDraft] = []
  private var differs = false
  private var progress: ReplayProgress
  /// What has to hold, whatever was recorded.
  private var conditions: [ConditionCheck]
  /// Whether only the conditions decide: then values may differ from the recorded ones.
  private let mayDiffer: Bool
  /// The last entry that was replayed, with the values around it, when there are conditions.
  private var moment: ReplayedMoment?

  init(
    _ fixture: Fixture, _ replayer: any Replayer, _ comparison: ReplayComparison?,
    _ acceptance: ReplayAcceptance, expecting conditions: [ReplayCondition] = [], _ place: Place,
    isRecordingAnew: Bool = FixtureReplay.isRecordingAnew
  ) throws {
    let isRecordingAnew = isRecordingAnew && fixture.url != nil
    mayDiffer = comparison == nil && !conditions.isEmpty
    let comparison = comparison ?? .outputs
    self.conditions = isRecordingAnew ? [] : try conditions.map { try ConditionCheck($0) }
    self.fixture = fixture
    self.replayer = replayer
    self.place = place
    let header = fixture.timeline.header
    // What a chart or a feedback system has as outputs tells what it did, and nothing of its value.
    let tellAll =
      !header.outputs.isEmpty && !["statechart", "feedback"].contains(header.machine.kind)
    self.comparison = comparison.kind == .outputs && !tellAll ? .state : comparison.kind
    if case .from(let seq) = acceptance { accepted = Int64(seq) } else { accepted = .max }
    recorded = TimelineCursor(fixture.timeline)
    progress = ReplayProgress(fixture.name, count: fixture.timeline.entries.count)
    self.isRecordingAnew = isRecordingAnew
  }

  /// Whether the environment says so.
  static var isRecordingAnew: Bool {
    let word = ProcessInfo.processInfo.environment["STATES_RERECORD"] ?? ""
    return !["", "0", "false", "no"].contains(word)
  }

  /// Replays all of it.
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
    if isRecordingAnew {
      if differs || report.accepted > 0 { try recordAnew() }
    } else if report.same == 0, report.accepted == 0 {
      throw FixtureError(.nothingCompared, in: fixture.name)
    }
    return report
  }

  private mutating func recordAnew() throws {
    try fixture.replace(with: drafts)
    report.isRecordedAnew = true
    tell("recorded anew")
  }

  private func tell(_ sentence: String) {
    FileHandle.standardError.write(Data("\(fixture.name): \(sentence)\n".utf8))
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
    guard hasState || entry.state != nil else {
      // Before the first state that is known nothing can run.
      lose(entry)
      return
    }
    var isGiven = !hasState || entry.isFixedPoint || entry.event == nil
    var draft: EntryDraft
    do {
      var entry = entry
      if !isGiven, let event = entry.event, try !canReach(with: event, at: entry.seq) {
        guard let known = try entryWithState(entry) else {
          lose(entry)
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
    draft.was = entry.was
    draft.gap = entry.gap
    draft.ns = entry.ns
    draft.omitted = nil
    if draft.redacted.isEmpty { draft.redacted = entry.redacted }
    hasState = true
    if isRecordingAnew { drafts.append(draft) }
    try checkConditions(draft, of: entry)
    try compare(draft, with: entry, isGiven: isGiven)
  }

  /// The last entry that is run.
  private var lastSeq: Int64? { fixture.timeline.entries.last { !isSkipped($0) }?.seq }

  /// Leaves an entry as it was recorded: what it comes to today is not known.
  private mutating func lose(_ entry: Entry) {
    hasState = false
    moment = nil
    isEqual = nil
    replayer.forget()
    report.inconclusive += 1
    drafts.append(EntryDraft(entry))
  }

  /// Whether an entry is not run, because it ended the app: it would end this test, and all others of
  /// the process.
  private func isSkipped(_ entry: Entry) -> Bool {
    entry.error == "trapped" && (entry.seq < accepted || isRecordingAnew)
  }

  private mutating func skipTrap(_ entry: Entry) {
    lose(entry)
    report.trapped = Int(entry.seq)
    let event = entry.event.map { shortened($0.text) } ?? ""
    tell(Self.trapAdvice(event: event, seq: entry.seq))
  }

  static func trapAdvice(event: String, seq: Int64) -> String {
    """
    the app trapped while it handled \(event) (entry \(seq)), so that is not run. \
    To run it, say accepting: .from(\(seq)).
    """
  }

  /// Whether everything is known that an event goes back to.
  private func canReach(with event: JSONSlice, at seq: Int64) throws -> Bool {
    guard let missing = try replayer.missing(for: event) else { return true }
    guard missing < seq, let state = fixture.timeline.state(at: missing) else { return false }
    try replayer.remember(JSONSlice(validating: state.encoded()), as: missing)
    return true
  }

  /// The entry as one that gives its state; nil where that was not captured.
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

  /// An entry that today's code can not run at all: a difference like any other.
  private mutating func stop(at entry: Entry, _ error: any Error) throws {
    hasState = false
    isEqual = nil
    replayer.forget()
    if entry.seq >= accepted, !isRecordingAnew {
      report.accepted += 1
      return
    }
    // Nothing can be recorded in its place, either.
    try fail(at: entry, ["It can not be run: \(error)"], mayAccept: !isRecordingAnew)
  }

  private mutating func compare(
    _ draft: EntryDraft, with entry: Entry, isGiven: Bool
  ) throws {
    let isCompared = comparison != .final || entry.seq == lastSeq
    // What is recorded anew has to be what comes out at every entry, whatever is compared.
    guard isCompared || isRecordingAnew else {
      isEqual = nil
      return
    }
    guard !entry.isThinned else {
      isEqual = nil
      report.inconclusive += 1
      return
    }
    let wrong = ErrorDifference.lines(from: entry, to: draft.error)
    if !isGiven, !wrong.isEmpty {
      isEqual = nil
      try settle(entry, wrong)
      return
    }
    if isEqual == true, let patch = entry.patch, patch.bytes == draft.patch,
      entry.outputs?.bytes == draft.outputs
    {
      report.same += 1
      return
    }
    guard case .known(let before)? = recorded.move(to: entry.seq) else {
      report.inconclusive += 1
      return
    }
    let now = try replayer.snapshot()
    isEqual = before == now
    try settle(entry, isEqual == true ? [] : differences(from: before, to: now))
  }

  /// What differs, of what is compared.
  private func differences(from before: Snapshot, to now: Snapshot) throws -> [String] {
    func all(_ root: String, _ old: JSON, _ new: JSON) -> [Difference] {
      Difference.all(
        from: old.masking(hidden, below: root), to: new.masking(hidden, below: root), below: root)
    }
    let outputs = all("outputs", before.outputs, now.outputs)
    switch comparison {
    case .outputs: return outputs.map(\.text)
    case .state, .final: return (outputs + all("state", before.state, now.state)).map(\.text)
    case .paths(let paths):
      let before = Snapshot(
        state: before.state.masking(hidden, below: "state"),
        outputs: before.outputs.masking(hidden, below: "outputs"))
      let now = Snapshot(
        state: now.state.masking(hidden, below: "state"),
        outputs: now.outputs.masking(hidden, below: "outputs"))
      return try paths.flatMap { path in
        let pointer = try Pointer(path)
        return Difference.all(
          from: try before.value(at: pointer), to: try now.value(at: pointer), at: pointer)
      }.map(\.text)
    }
  }

  private mutating func settle(_ entry: Entry, _ lines: [String]) throws {
    if lines.isEmpty {
      report.same += 1
      if isEqual != true { differs = true }
    } else if mayDiffer || entry.seq >= accepted {
      report.accepted += 1
    } else if isRecordingAnew {
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
      text += "\n  To accept what is new from here on, say accepting: .from(\(entry.seq))."
      if fixture.url != nil { text += " To record it anew, run the test with STATES_RERECORD=1." }
    }
    // With a hook nothing is thrown, and the replay would report every entry after this one.
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

  /// Checks what has to hold at the end, and that every condition could have failed.
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

/// Ends a replay whose failure the hook was told of.
struct ReplayStopped: Error {}
