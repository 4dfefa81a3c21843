import Testing
import Timelines

@testable import TimelineStore

@Suite("What an acknowledgement of a store is worth")
struct StoreDurabilityTests {
  @Test("each connection that writes syncs every commit, and does so in a log")
  func syncsCommits() async throws {
    try await withStore(.small) { store in
      try await expectDurable(store)
      // After a fault the store continues with a new connection.
      let order = SealOrder(
        timeline: SampleTimeline(count: 1).header.timeline, row: 1,
        generation: await store.generation, runs: [], now: 0)
      store.receive(nil, of: order)
      while store.state == .open { await Task.yield() }
      #expect(await store.tryAgain())
      try await expectDurable(store)
    }
  }

  private func expectDurable(
    _ store: Store, _ place: SourceLocation = #_sourceLocation
  ) async throws {
    // FULL: a commit in the log is on the disk before it is acknowledged.
    #expect(try await store.pragma("synchronous") == "2", sourceLocation: place)
    #expect(try await store.pragma("journal_mode") == "wal", sourceLocation: place)
  }
}

extension Store {
  /// What the connection that writes has for a pragma.
  fileprivate func pragma(_ name: String) throws -> String? {
    guard let writing = rows as? SQLiteRows else { return nil }
    return try writing.database.first("PRAGMA \(name)", row: { $0.text(0) }) ?? nil
  }
}
