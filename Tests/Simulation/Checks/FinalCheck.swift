import JSONCore
import Recorder
import TimelineStore
import Timelines

/// What must be true once there are no more faults.
struct FinalCheck {
  private let world: World

  init(_ world: World) {
    self.world = world
  }

  // MARK: Liveness

  /// Everything was delivered, and reported to the inspectors that follow it.
  func checkLiveness() {
    guard world.daemon.run?.isReady == true else {
      return world.fail("daemon-serves", "The daemon does not serve.")
    }
    for recorder in world.recorders {
      guard let run = recorder.run else { continue }
      let status = run.sink.status
      guard status.isConnected || run.machine.book.isClosed else {
        world.fail(
          "recorder-connects", "\(recorder.name) is not connected: \(status.problem ?? "")")
        return
      }
      for machine in run.machines { checkDelivered(machine, status) }
    }
    for machine in world.recorders.flatMap({ $0.run?.machines ?? [] }) where machine.isStopped {
      world.fail("leases-end", "\(machine.name) is held without a renewed lease.")
    }
    for link in world.links where !link.client.isOver && !link.server.isOver {
      checkLink(link)
    }
    for inspector in world.inspectors {
      guard inspector.isConnected else {
        return world.fail("inspector-connects", "\(inspector.name) is not connected.")
      }
      checkFollowed(by: inspector)
    }
    if world.daemon.run?.waitingBytes != 0 {
      world.fail(
        "nothing-waits", "\(world.daemon.run?.waitingBytes ?? 0) B wait for the disk for good.")
    }
  }

  private func checkDelivered(_ machine: ScriptedMachine, _ status: DaemonSinkStatus) {
    let book = machine.book
    // After a deletion, a new timeline starts with the next event.
    if book.mayBeGone { return }
    guard status.kept == 0, book.acknowledged == book.last - (book.isClosed ? book.lostAtEnd : 0)
    else {
      return world.fail(
        "delivers",
        "\(machine.name) keeps \(status.kept) entries; of \(book.last) \(book.acknowledged) is "
          + "acknowledged")
    }
    guard book.isClosed || world.daemon.run?.isLive(book.id) == true else {
      return world.fail("stays-live", "\(machine.name) runs, and the daemon shows it as ended.")
    }
  }

  private func checkLink(_ link: Link) {
    let credit = link.tap.credit
    if credit.isWelcomed, credit.spent != credit.granted {
      world.fail(
        "credit-returns",
        "\(link.name) spent \(credit.spent) B of credit, and got \(credit.granted) B back.")
    }
    if let request = link.tap.unanswered.first {
      world.fail("answers", "The request \(request) of \(link.name) is not answered.")
    }
  }

  private func checkFollowed(by inspector: InspectorProcess) {
    guard let records = readRecords() else { return }
    for timeline in inspector.followed {
      guard let record = records.first(where: { $0.id == timeline }) else {
        if world.book[timeline]?.mayBeGone != true, !world.branches.contains(timeline) {
          world.fail("follows", "\(inspector.name) follows \(timeline), which is not there.")
        }
        continue
      }
      guard inspector.reported[timeline] ?? -1 >= record.last ?? -1 else {
        let reported = inspector.reported[timeline] ?? -1
        return world.fail(
          "shows-durable",
          "\(inspector.name) shows \(timeline) up to \(reported), and \(record.last ?? -1) is durable."
        )
      }
      if inspector.showsEntries, let last = record.last {
        checkShown(inspector, timeline, through: last)
      }
    }
  }

  /// An inspector that read entries before it watched has every entry, including those in between.
  private func checkShown(
    _ inspector: InspectorProcess, _ timeline: TimelineID, through last: Int64
  ) {
    let stored = read { reader in
      var seqs: [Int64] = []
      let lineage = try reader.lineage(of: timeline)
      try reader.forEachEntry(of: lineage, in: 0...last) { entry throws(StoreError) in
        seqs.append(entry.seq)
      }
      return seqs
    }
    let shown = inspector.shown[timeline]?.seqs ?? []
    guard let missing = stored?.first(where: { !shown.contains($0) }) else { return }
    world.fail(
      "shows-entries",
      "\(inspector.name) follows \(timeline) up to \(last), and does not show \(missing).")
  }

  // MARK: What is stored

  private struct Stored: Sendable {
    var record: TimelineRecord
    var entries: [Entry]
    var states: [Moment?]
  }

  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (StoreReader) throws -> Value
  ) -> Value? {
    guard let run = world.daemon.run else {
      world.fail("readable", "No daemon runs, so that nothing can be checked.")
      return nil
    }
    let box = Left<Result<Value, any Error>?>(nil)
    let store = run.store
    Task {
      do { box.value = .success(try await store.read(body)) } catch { box.value = .failure(error) }
    }
    for _ in 0..<1_000 where box.value == nil {
      world.scheduler.run(until: world.scheduler.now + 1_000)
    }
    switch box.value {
    case .success(let value): return value
    case .failure(let error): world.fail("readable", "The store cannot be read: \(error)")
    case nil: world.fail("readable", "The store is not responding.")
    }
    return nil
  }

  private func readRecords() -> [TimelineRecord]? { read { try $0.timelines() } }

  /// What was promised is there, once, in order, and as it was.
  func checkStored() {
    let looked = Int(world.seed % 4)
    let all = read { reader in
      try reader.timelines().map { record in
        let lineage = try reader.lineage(of: record.id)
        var entries: [Entry] = []
        if let last = record.last {
          try reader.forEachEntry(of: lineage, in: 0...last) { entry throws(StoreError) in
            entries.append(entry)
          }
        }
        // Each state is patched together from a keyframe on: some of them, and the last one.
        let states = try entries.enumerated().map { index, entry in
          let isLooked = index % 4 == looked || index == entries.count - 1
          return isLooked ? try reader.moment(of: lineage, at: entry.seq) : nil
        }
        return Stored(record: record, entries: entries, states: states)
      }
    }
    guard let all else { return }
    for book in world.book.all {
      guard let stored = all.first(where: { $0.record.id == book.id }) else {
        // Retention that began while a timeline was live may reach it after its recorder closed it.
        let mayBePruned = book.mayBeShortened && book.isClosed
        if book.acknowledged >= 0, !book.mayBeGone, !mayBePruned {
          world.fail(
            "acknowledged-is-there",
            "\(book.id) of \(book.owner) is gone, of which \(book.acknowledged) was acknowledged.")
        }
        continue
      }
      check(stored, book)
    }
    for branch in world.branches {
      if let stored = all.first(where: { $0.record.id == branch }) { checkBranch(stored) }
    }
  }

  private func check(_ stored: Stored, _ book: TimelineBook) {
    func broken(_ rule: String, _ sentence: String) {
      world.fail(rule, "\(book.id) of \(book.owner): \(sentence)")
    }
    var next = stored.entries.first?.seq ?? 0
    if next > 0, !book.mayBeShortened {
      let gap = stored.entries.first?.gap?.lost ?? 0
      if gap != next { broken("loss-is-reported", "it begins with \(next) and a gap of \(gap)") }
    }
    for (entry, moment) in zip(stored.entries, stored.states) {
      let lost = entry.seq - next
      guard lost == (entry.gap?.lost ?? 0) || entry.seq == stored.entries.first?.seq else {
        return broken(
          "loss-is-reported",
          "before \(entry.seq) \(lost) are missing, and it says "
            + "\(entry.gap?.lost ?? 0)")
      }
      for missing in next..<max(next, entry.seq)
      where missing <= book.acknowledged && book.sent[Int(missing)] == .whole {
        return broken("acknowledged-is-there", "\(missing) was acknowledged, and is not there")
      }
      next = entry.seq + 1
      guard entry.seq <= book.last else {
        return broken("no-invention", "entry \(entry.seq) was never made")
      }
      guard entry.event.flatMap({ ModelEvent($0) }) == book.events[Int(entry.seq)] else {
        return broken("same-events", "entry \(entry.seq) has another event")
      }
      if case .known(let snapshot) = moment,
        let slice = try? JSONSlice(validating: snapshot.state.encoded()),
        ModelState(slice) != book.states[Int(entry.seq)]
      {
        return broken("same-states", "after \(entry.seq) the state is \(snapshot.state)")
      }
      if case .thinned = moment, book.sent[Int(entry.seq)] == .whole {
        return broken("same-states", "the state after \(entry.seq) is missing")
      }
    }
    if next - 1 < book.acknowledged {
      broken(
        "acknowledged-is-there",
        "it ends with \(next - 1), and \(book.acknowledged) was acknowledged"
      )
    }
    if !book.isAbandoned, !book.mayBeGone {
      let lost = stored.record.lostAtEnd?.lost ?? 0
      if next - 1 + lost != book.last {
        broken("delivers", "it ends with \(next - 1) and a loss of \(lost), of \(book.last)")
      }
    }
  }

  private func checkBranch(_ stored: Stored) {
    func broken(_ rule: String, _ sentence: String) {
      world.fail(rule, "The branch \(stored.record.id): \(sentence)")
    }
    let hasHost = world.recorders.contains {
      $0.plan.host != .none && $0.run?.sink.status.isConnected == true
    }
    if stored.record.computing != nil {
      if hasHost { broken("branches-end", "it is not complete") }
      return
    }
    guard !world.plan.isQuiet || stored.record.ended == nil else {
      return broken("branches-end", "it ends early without a fault")
    }
    guard let expected = expectedStates(of: stored) else { return }
    for (entry, moment) in zip(stored.entries, stored.states) {
      if case .thinned = moment, world.plan.isQuiet {
        return broken("branch-states", "the state after \(entry.seq) is missing")
      }
      guard entry.seq < expected.count else {
        return broken("branch-states", "entry \(entry.seq) is too many")
      }
      if case .known(let snapshot) = moment,
        let slice = try? JSONSlice(validating: snapshot.state.encoded()),
        ModelState(slice) != expected[Int(entry.seq)]
      {
        return broken("branch-states", "after \(entry.seq) the state is \(snapshot.state)")
      }
    }
    if stored.record.ended == nil, (stored.entries.last?.seq ?? -1) + 1 != expected.count {
      broken(
        "branches-end",
        "it ends with \(stored.entries.last?.seq ?? -1), of \(expected.count - 1), "
          + "and gives no reason")
    }
  }
}

extension FinalCheck {
  /// The expected branch, according to the model.
  private func expectedStates(of stored: Stored) -> [ModelState]? {
    guard let header = try? Header(reading: stored.record.header), let parent = header.parent,
      let book = world.book[parent.timeline], let edit = parent.edits.edits.first
    else { return nil }
    var expected: [ModelState]
    let next: Int
    switch edit {
    case .drop(let dropped):
      expected = Array(book.states[..<Int(dropped.lowerBound)])
      next = Int(dropped.upperBound) + 1
    case .startAt(let seq):
      expected = [book.states[Int(seq)]]
      next = Int(seq) + 1
    default: return nil
    }
    guard var state = expected.last else { return nil }
    for seq in next..<max(next, Int(parent.through) + 1) {
      if let event = book.events[seq] { _ = state.reduce(event) }
      expected.append(state)
    }
    return expected
  }
}

/// A value that a task leaves.
///
/// Safe: the simulation has one thread.
final class Left<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
