import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import PostgresStore
@testable import TimelineStore

@Suite("The lease of a PostgreSQL database", .onPostgres, .timeLimit(.minutes(10)))
struct PostgresLeaseTests {
  @Test("a second daemon is refused with the first one's host until that one closes the database")
  func isExclusive() async throws {
    try await withFolder { folder in
      let first = try openLeased(folder, "alpha")
      let error = #expect(throws: StoreError.self) { try openLeased(folder, "beta") }
      let until = try #require(
        try TestedServer.current?.connection(to: folder).run(
          """
          SELECT to_char(expires AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:') FROM lease
          """
        ).first?.text(0))
      let words = "\(error, default: "")"
      #expect(words.hasPrefix("A daemon on alpha serves the database; its lease is valid until "))
      #expect(words.hasSuffix("To fix, use that daemon, or stop it first."))
      // The minute may have ended since.
      #expect(words.contains(until.prefix(13)))
      await first.close()
      let second = try openLeased(folder, "beta")
      await second.close()
    }
  }

  @Test("a daemon whose lease has expired and was taken over stores nothing, and reports that")
  func isFenced() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 60)
      let id = sample.header.timeline
      let frozen = try openLeased(folder, "alpha")
      var news = try #require(frozen.leaseNews).makeAsyncIterator()
      try await frozen.record(sample, through: 20)
      try expireLease(of: folder)
      let next = try openLeased(folder, "beta")
      let late = Task { try await frozen.append(AppendBatch(id, sample.entries[20..<30])) }
      while let item = await news.next(), item != .lost {}
      #expect(
        frozen.state
          == .refusing(
            "Another daemon has taken over the database. This one stores nothing anymore. To record, "
              + "use that daemon."))
      // Not even after it has opened the database again.
      #expect(await !frozen.tryAgain())
      #expect(try await next.lines(of: id) == sample.entries.prefix(20).map(\.line.text))
      await frozen.close()
      await #expect(throws: StoreError(.closed)) { try await late.value }
      // Its end did not end the other one's lease.
      #expect(throws: StoreError.self) { try openLeased(folder, "gamma") }
      _ = try await next.open(sample.header)
      _ = try await next.append(AppendBatch(id, sample.entries[20...]))
      try await expectEqual(next, sample)
      await next.close()
    }
  }

  @Test("an expired lease that no other daemon has taken is renewed, and writing continues")
  func renewsExpired() async throws {
    try await withFolder { folder in
      let database = try #require(TestedServer.current).database(for: folder)
      let lease = try database.acquireLease(as: LeaseHolder(host: "alpha", instance: "a"))
      try expireLease(of: folder)
      #expect(try lease.renew() == .oneMachine)
      #expect(throws: StoreError.self) {
        try database.acquireLease(as: LeaseHolder(host: "beta", instance: "b"))
      }
      let rows = try lease.source.openWriting(indexer: TimelineIndexer())
      try rows.commit([.probe])
    }
  }

  @Test("a renewal after the release does not extend the lease")
  func staysReleased() async throws {
    try await withFolder { folder in
      let database = try #require(TestedServer.current).database(for: folder)
      let first = try database.acquireLease(as: LeaseHolder(host: "alpha", instance: "a"))
      first.release()
      #expect(throws: StoreError(.closed)) { try first.renew() }
      _ = try database.acquireLease(as: LeaseHolder(host: "beta", instance: "b"))
    }
  }

  @Test("a renewal that the server has refused does not keep the next one from working")
  func renewsAfterRefusal() async throws {
    try await withFolder { folder in
      let database = try #require(TestedServer.current).database(for: folder)
      let lease = try database.acquireLease(as: LeaseHolder(host: "alpha", instance: "a"))
      _ = try lease.renew()
      let server = try #require(try TestedServer.current?.connection(to: folder))
      try server.run("ALTER TABLE lease RENAME TO hidden")
      #expect(throws: StoreError.self) { try lease.renew() }
      try server.run("ALTER TABLE hidden RENAME TO lease")
      #expect(try lease.renew() == .oneMachine)
    }
  }

  @Test("the next daemon of the same data folder need not wait for the lease of one that crashed")
  func continuesAfterCrash() async throws {
    try await withFolder { folder in
      let database = try #require(TestedServer.current).database(for: folder)
      let holder = LeaseHolder(host: "alpha", instance: "a")
      let crashed = try database.acquireLease(as: holder)
      let next = try database.acquireLease(as: holder)
      #expect(throws: StoreError(.server(.leaseLost))) { try crashed.renew() }
      #expect(throws: StoreError(.server(.leaseLost))) {
        try crashed.source.openWriting(indexer: TimelineIndexer())
      }
      _ = try next.renew()
    }
  }

  @Test("tables without a lease get one")
  func migrates() async throws {
    try await withFolder { folder in
      let database = try #require(TestedServer.current).database(for: folder)
      let connection = try #require(try TestedServer.current?.connection(to: folder))
      for statement in PostgresSchema.migrations[0] { try connection.run(statement) }
      try connection.run("INSERT INTO meta VALUES ('format', 1)")
      let lease = try database.acquireLease(as: LeaseHolder(host: "alpha", instance: "a"))
      #expect(try PostgresSchema.format(connection) == PostgresSchema.current)
      _ = try lease.renew()
    }
  }

  private func openLeased(_ folder: String, _ host: String) throws -> Store {
    let database = try #require(TestedServer.current).database(for: folder)
    return try Store(
      database: database, folder: folder + "/" + host, host: host, options: .small)
  }

  /// Does what time does.
  private func expireLease(of folder: String) throws {
    try #require(TestedServer.current).connection(to: folder).run(
      "UPDATE lease SET expires = clock_timestamp()")
  }
}

@Suite("How durable a commit on PostgreSQL is")
struct PostgresDurabilityTests {
  @Test(
    "depends on the standbys and on what a commit waits for",
    arguments: [
      ("", "on", Durability.oneMachine), (" ", "on", .oneMachine), ("*", "on", .twoMachines),
      ("ANY 1 (a, b)", "remote_apply", .twoMachines), ("a", "remote_write", .twoMachines),
      ("a", "local", .oneMachine), ("a", "off", .twoMachines), ("", "off", .oneMachine),
    ])
  func isRead(standbys: String, commit: String, expected: Durability) {
    #expect(PostgresLease.durability(standbys: standbys, commit: commit) == expected)
  }
}
