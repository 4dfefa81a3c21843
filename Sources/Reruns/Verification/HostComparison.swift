internal import JSONCore
internal import Timelines
internal import Wire

/// Compares a recording with a host's rerun.
///
/// The events are run from the first known state on; after a difference, the run continues from the
/// computed state, not the recorded one.
struct HostComparison {
  private let recording: StoredRecording
  private let host: any ReducerHosting
  private let report: ProgressReport
  private let stretch: ClosedRange<Int64>
  private var walk: MomentWalk
  private var comparison = Comparison()
  /// The computed moment; `nil` if the next known one is given.
  private var computed: Snapshot?
  /// Computed states of a form since the first difference, to which its undo may go back.
  private var parted: [Int64: JSON] = [:]

  /// As many as a host remembers for the undo of a form.
  private static let partedLimit: Int64 = 10_000

  init(
    _ recording: StoredRecording, on host: any ReducerHosting, report: @escaping ProgressReport
  ) async throws {
    (self.recording, self.host, self.report) = (recording, host, report)
    stretch = try recording.stretch(from: nil, to: nil)
    walk = try await MomentWalk(recording.id, in: recording.store)
  }

  mutating func run() async throws -> ToInspector.Compare {
    var next = stretch.lowerBound
    while next <= stretch.upperBound {
      let entries = try await recording.entries(in: next...stretch.upperBound)
      guard let last = entries.last else { break }
      guard try await compare(entries[...]) else { break }
      next = last.seq + 1
      await report(next)
    }
    return try comparison.answer(recording.id, recording.id)
  }

  /// Compares some entries; returns whether the host finished them.
  private mutating func compare(_ entries: ArraySlice<Entry>) async throws -> Bool {
    var rest = entries
    while let entry = rest.first {
      guard !entry.isBroken, !entry.isFixedPoint, let before = computed else {
        try await applyRecorded()
        rest.removeFirst()
        continue
      }
      let end = rest.firstIndex { $0.isBroken || $0.isFixedPoint } ?? rest.endIndex
      let remembered = try await recording.remembered(for: rest[..<end]) { parted[$0] }
      guard remembered.count > 0 else {
        // It goes back to an unknown state.
        try await applyRecorded()
        rest.removeFirst()
        continue
      }
      let batch = rest.prefix(remembered.count)
      let runner = try Runner(again: batch, make: recording.make, from: before)
      let rerun = try await host.run(runner, remembered: remembered.states)
      for entry in rerun.entries { try await add(entry) }
      rest.removeFirst(rerun.entries.count)
      guard let ended = rerun.ended else { continue }
      guard ended.why == .trap, rest.first?.error == "trapped" else {
        try await addMissing(ended)
        return false
      }
      // It trapped in the recording and in the rerun.
      _ = try await walk.step()
      comparison.addEqual()
      computed = nil
      rest.removeFirst()
    }
    return true
  }

  private mutating func applyRecorded() async throws {
    computed = try await walk.step()?.moment
    parted = [:]
  }

  private mutating func add(_ entry: Entry) async throws {
    guard var moment = computed else { return }
    try Agreement.advance(&moment, by: entry)
    computed = moment
    guard let recorded = try await walk.step() else { return }
    // Of a crash, only the error is recorded.
    if let known = recorded.moment ?? (recorded.entry.error == "trapped" ? moment : nil) {
      comparison.add(
        Comparison.Side(seq: entry.seq, moment: known, error: recorded.entry.error),
        Comparison.Side(seq: entry.seq, moment: moment, error: entry.error))
    }
    guard recording.isForm, !comparison.isSame else { return }
    parted[entry.seq] = moment.state
    parted[entry.seq - Self.partedLimit] = nil
  }

  private mutating func addMissing(_ ended: EarlyEnd) async throws {
    let what = "The host ended at entry \(ended.seq)"
    let why = ended.message.map { "\(what): \($0)" } ?? "\(what): \(ended.why.rawValue)."
    while let (entry, _) = try await walk.step() { comparison.addMissing(entry.seq, why) }
  }

  private func report(_ next: Int64) async {
    await report(
      .progress(
        ToInspector.Progress {
          $0.done = next - stretch.lowerBound
          $0.of = stretch.upperBound - stretch.lowerBound + 1
          $0.message = "Running it on the host"
        }))
  }
}
