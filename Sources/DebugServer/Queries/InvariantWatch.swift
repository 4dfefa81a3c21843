internal import Predicates
internal import Reruns
internal import Synchronization
internal import TimelineStore
internal import Timelines
internal import Wire

/// Tries the invariants of a type of machine at new entries, and marks the first entry of a timeline
/// that breaks one.
///
/// It searches as an inspector does, after entries are durable, so that recorders do not wait for it.
actor InvariantWatch {
  /// An invariant that no longer holds.
  struct Break: Hashable, Sendable {
    var timeline: TimelineID
    var machine: String
    var seq: Int64
    var predicate: String

    var notice: NoticeMessage {
      NoticeMessage {
        $0.level = .warning
        $0.message = "\(machine) breaks an invariant at entry \(seq): \(predicate)"
        $0.timeline = timeline
      }
    }
  }

  private let queries: QueryService
  private let report: @Sendable (Break) -> Void
  private let logFailure: @Sendable (String) -> Void
  /// The first entry of each timeline that was not tried.
  private nonisolated let waiting = Mutex<(first: [TimelineID: Int64], isRunning: Bool)>(
    ([:], false))
  /// What the marks say, too, unless a person removed one.
  private var broken = BrokenInvariants()

  init(
    _ queries: QueryService, logFailure: @escaping @Sendable (String) -> Void,
    report: @escaping @Sendable (Break) -> Void
  ) {
    self.queries = queries
    self.logFailure = logFailure
    self.report = report
  }

  /// Entries from a seq on are durable.
  nonisolated func grew(_ timeline: TimelineID, from seq: Int64) {
    guard queries.filters.mayHaveInvariants.load(ordering: .relaxed) else { return }
    let begins = waiting.withLock { waiting in
      waiting.first[timeline] = min(waiting.first[timeline] ?? seq, seq)
      defer { waiting.isRunning = true }
      return !waiting.isRunning
    }
    if begins { Task { await tryAll() } }
  }

  private func tryAll() async {
    while let (timeline, seq) = next() {
      do {
        try await tryEntries(of: timeline, from: seq)
      } catch {
        // The timeline was deleted, or the store is closed; the next entries are tried again.
        logFailure("\(error)")
      }
    }
  }

  private func next() -> (TimelineID, Int64)? {
    waiting.withLock { waiting in
      guard let (timeline, seq) = waiting.first.popFirst() else {
        waiting.isRunning = false
        return nil
      }
      return (timeline, seq)
    }
  }

  private func tryEntries(of timeline: TimelineID, from seq: Int64) async throws {
    let record = try await queries.store.read { try $0.timeline(timeline) }
    guard let header = try? Header(reading: record.header) else { return }
    let all = try await queries.filters.invariants(of: header.machine.type).map(\.predicate)
      .filter { predicate in
        // The marks remain when the daemon is started again.
        !broken.contains(predicate, in: timeline)
          && !record.marks.contains { Self.names(predicate, $0.text) }
      }
    // One search while all of them hold.
    guard !all.isEmpty, try await first(breaking: all, in: timeline, from: seq) != nil else {
      return
    }
    for predicate in all {
      guard let found = try await first(breaking: [predicate], in: timeline, from: seq) else {
        continue
      }
      broken.insert(predicate, in: timeline)
      try await mark(timeline, at: found, Self.text(predicate))
      report(
        Break(
          timeline: timeline, machine: record.name ?? header.machine.name, seq: found,
          predicate: "\(predicate)"))
    }
  }

  private static func text(_ predicate: Predicate) -> String { "breaks \(predicate)" }

  /// Whether a mark says that an entry breaks a predicate. The text of one may begin that of another.
  static func names(_ predicate: Predicate, _ mark: String) -> Bool {
    "; \(mark); ".contains("; \(text(predicate)); ")
  }

  private func first(
    breaking predicates: [Predicate], in timeline: TimelineID, from seq: Int64
  ) async throws -> Int64? {
    let parts = predicates.map { Predicate.Expression.not($0.expression) }
    let asked = FromInspector.Find {
      $0.timeline = timeline
      $0.predicate = Predicate(parts.count == 1 ? parts[0] : .any(parts))
      $0.from = seq
    }
    return try await queries.find(asked) { _ in }.seqs.first
  }

  /// Marks an entry, next to what is written there.
  private func mark(_ timeline: TimelineID, at seq: Int64, _ text: String) async throws {
    let record = try await queries.store.read { try $0.timeline(timeline) }
    let before = record.marks.first { $0.seq == seq }?.text
    let whole = before.map { "\($0); \(text)" } ?? text
    guard (try? TextLimit.check(whole, path: "text")) != nil else { return }
    try await queries.store.mark(timeline, at: seq, whole)
  }
}
