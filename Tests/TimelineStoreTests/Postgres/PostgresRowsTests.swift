import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import PostgresStore
@testable import TimelineStore

@Suite("Timelines on PostgreSQL", .onPostgres, .timeLimit(.minutes(10)))
struct PostgresRowsTests {
  @Test(
    "a store whose timeline another one has taken over stores nothing before it has read the end")
  func isFenced() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 60)
      let id = sample.header.timeline
      let frozen = try openStore(folder, options: .small)
      try await frozen.record(sample, through: 20)
      let next = try openStore(folder, options: .small)
      _ = try await next.open(sample.header)
      _ = try await next.append(AppendBatch(id, sample.entries[20..<30]))
      // What the first one holds for the end is too old: its entries would be stored twice.
      let late = Task { try await frozen.append(AppendBatch(id, sample.entries[20..<30])) }
      while frozen.state == .open { await Task.yield() }
      #expect(
        frozen.state
          == .refusing(
            "Another daemon has written the same timeline. To fix, use each database with one "
              + "daemon only; recording then continues automatically."))
      #expect(try await next.lines(of: id) == sample.entries.prefix(30).map(\.line.text))
      // It reads the end again, and takes the timeline over itself.
      #expect(await frozen.tryAgain())
      #expect(try await late.value == Appended(durable: 29, dropped: 10))
      _ = try await frozen.append(AppendBatch(id, sample.entries[30...]))
      #expect(try await frozen.lines(of: id) == sample.entries.map(\.line.text))
      await next.close()
      await frozen.close()
    }
  }

  @Test("a batch whose confirmation was lost is not stored twice")
  func storesOnce() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 40)
      let id = sample.header.timeline
      let store = try openStore(folder, options: .small)
      try await store.record(sample, through: 20)
      try TestedServer.current?.endConnections(of: folder)
      let batch = AppendBatch(id, sample.entries[20...])
      let late = Task { try await store.append(batch) }
      while store.state == .open { await Task.yield() }
      guard case .refusing(let why) = store.state else { return }
      #expect(why.hasPrefix("The database does not answer: "))
      #expect(
        why.hasSuffix(
          "Recorders keep their entries, and what you see may be out of date. To fix, check the "
            + "server; recording then continues automatically."))
      #expect(await store.tryAgain())
      #expect(try await late.value.durable == 39)
      #expect(try await store.append(batch) == Appended(durable: 39, dropped: 20))
      try await expectEqual(store, sample)
      await store.close()
    }
  }

  @Test("reading continues after the server has ended the connections")
  func readsAgain() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 40)
      try await store.record(sample)
      try await expectEqual(store, sample)
      for _ in 0..<3 {
        try TestedServer.current?.endConnections(of: store.folder)
        try await expectEqual(store, sample)
      }
    }
  }

  @Test("reading continues after a question that the server has refused")
  func readsAfterRefusal() async throws {
    var options = StoreOptions.small
    options.readers = 1
    try await withStore(options) { store in
      let sample = SampleTimeline(count: 40)
      try await store.record(sample)
      try await expectEqual(store, sample)
      let server = try #require(try TestedServer.current?.connection(to: store.folder))
      try server.run("ALTER TABLE timeline RENAME TO hidden")
      await #expect(throws: StoreError.self) { try await store.lines(of: sample.header.timeline) }
      try server.run("ALTER TABLE hidden RENAME TO timeline")
      try await expectEqual(store, sample)
    }
  }

  @Test("a server that refuses to write is the cause that is reported, and reading continues")
  func namesRefusal() async throws {
    let full = DatabaseServerError(doing: "INSERT INTO tail", message: "no space", code: "53100")
    #expect(
      Store.sentence(for: StoreError(.server(full)))
        == "The database server does not store entries: INSERT INTO tail failed: no space "
        + "(PostgreSQL 53100). To fix, check the server; recording then continues automatically.")
    #expect(full.leavesReading && !full.isOfConnection)
    let lost = DatabaseServerError.disconnected(doing: "connecting", message: "timeout")
    #expect(
      Store.sentence(for: StoreError(.server(lost)))
        == "The database does not answer: connecting failed: timeout. Recorders keep their entries, "
        + "and what you see may be out of date. To fix, check the server; recording then continues "
        + "automatically.")
  }

  @Test("texts from peers may have zero bytes")
  func storesZeroBytes() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 20)
      let id = sample.header.timeline
      try await store.record(sample)
      try await store.rename(id, to: "a\0b")
      try await store.mark(id, at: 3, "c\0d")
      let record = try await store.read { try $0.timeline(id) }
      #expect(record.name == "a\0b")
      #expect(record.marks == [.init(seq: 3, text: "c\0d")])
    }
  }

  @Test("tables of a newer build are refused")
  func refusesNewer() async throws {
    try await withFolder { folder in
      let store = try openStore(folder, options: .small)
      await store.close()
      let connection = try #require(try TestedServer.current?.connection(to: folder))
      try connection.run("UPDATE meta SET value = 99 WHERE key = 'format'")
      #expect(throws: StoreError(.newer(format: 99, known: PostgresSchema.current))) {
        try openStore(folder, options: .small)
      }
      #expect(try PostgresSchema.format(connection) == 99)
    }
  }

  @Test("several stores that open an empty database at once create its tables once")
  func createsOnce() async throws {
    try await withFolder { folder in
      _ = try TestedServer.current?.source(for: folder)
      let stores = try await withThrowingTaskGroup(of: Store.self) { group in
        for _ in 0..<4 { group.addTask { try openStore(folder, options: .small) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let sample = SampleTimeline(count: 20)
      try await stores[0].record(sample)
      try await expectEqual(stores[3], sample)
      for store in stores { await store.close() }
    }
  }

  @Test(
    "entries are not acknowledged before they are on the disk, however the server is configured")
  func waitsForDisk() async throws {
    try await withFolder { folder in
      _ = try TestedServer.current?.source(for: folder)
      let lazy = try #require(TestedServer.current).address(
        of: folder, more: "-csynchronous_commit=off")
      let rows = try PostgresRows(lazy, indexer: TimelineIndexer())
      try rows.connection.run("CREATE TABLE setting (value text)")
      rows.beforeCommit = "INSERT INTO setting SELECT current_setting('synchronous_commit')"
      try rows.commit([.probe])
      let found = try rows.connection.run("SELECT value FROM setting").first?.text(0)
      #expect(found == "on")
    }
  }
}

@Suite("A database of another program", .onPostgres)
struct PostgresForeignTablesTests {
  @Test(
    "is refused, whatever its table has",
    arguments: [
      "key text, value bigint|VALUES ('format', -3", "key text, value text|VALUES ('format', '2'",
      "key text, value integer|VALUES ('format', 2", "key text, value bigint|VALUES ('a', 2",
      "name text, value bigint|VALUES ('format', 2",
    ])
  func isRefused(table: String) async throws {
    try await withFolder { folder in
      let server = try #require(TestedServer.current)
      let source = try server.source(for: folder)
      let parts = table.components(separatedBy: "|")
      let connection = try server.connection(to: folder)
      try connection.run("CREATE TABLE meta (\(parts[0]))")
      try connection.run("INSERT INTO meta \(parts[1]))")
      #expect(throws: StoreError(.server(.foreignTables))) {
        try source.openWriting(indexer: TimelineIndexer())
      }
      #expect(throws: StoreError(.server(.foreignTables))) {
        try server.database(for: folder).acquireLease(as: LeaseHolder(host: "alpha", instance: "a"))
      }
    }
  }
}

@Suite("A lock of another session on PostgreSQL")
struct PostgresLockTests {
  @Test("is a sentence of its own")
  func isNamed() {
    let fault = DatabaseServerError(
      doing: "INSERT INTO tail", message: "canceling statement due to lock timeout", code: "55P03")
    let sentence = Store.sentence(for: StoreError(.server(fault)))
    #expect(
      sentence == """
        The database does not store entries: another session holds a lock on its tables. Recorders \
        keep their entries. To fix, end that session's transaction; recording then continues \
        automatically.
        """)
    #expect(
      StoreError(.server(fault)).description.hasSuffix(
        "another session holds a lock on its tables. To fix, end that session's transaction."))
  }

  @Test("is waited for with a limit in each transaction", .onPostgres)
  func isLimited() async throws {
    try await withFolder { folder in
      let source = try #require(TestedServer.current).source(for: folder)
      let writing = try source.openWriting(indexer: TimelineIndexer())
      let rows = try #require(writing as? PostgresRows)
      try rows.connection.run("CREATE TABLE setting (value text)")
      rows.beforeCommit = "INSERT INTO setting VALUES (current_setting('lock_timeout'))"
      try rows.commit([.probe])
      #expect(try rows.connection.run("SELECT value FROM setting").first?.text(0) == "10s")
      let reading = try PostgresReading(opening: source.address)
      try reading.beginMoment()
      #expect(try reading.ask("SELECT current_setting('lock_timeout')").first?.text(0) == "10s")
      reading.endMoment()
    }
  }
}

@Suite("A server that does not answer", .onPostgres, .timeLimit(.minutes(2)))
struct PostgresLimitTests {
  @Test(
    "is an error after the limit, and the connection is not used again", arguments: [false, true])
  func endsWaiting(inPipeline: Bool) async throws {
    try await withFolder { folder in
      _ = try #require(TestedServer.current).source(for: folder)
      let server = try #require(TestedServer.current)
      let other = try server.connection(to: folder)
      // The statement waits for a lock that nothing releases.
      try other.run("SELECT pg_advisory_lock(42)")
      let connection = try server.connection(to: folder)
      connection.limit = 1
      let statement = PostgresStatement("SELECT pg_advisory_lock(42)")
      let error = #expect(throws: StoreError.self) {
        _ = try inPipeline ? connection.pipeline([statement]) : [connection.run(statement)]
      }
      #expect(
        "\(error, default: "")"
          .hasPrefix(
            "The database does not answer: SELECT pg_advisory_lock(42) failed: there was no answer "
              + "within 0.001 seconds"))
      #expect(!connection.isUsable)
      #expect(throws: StoreError.self) { try connection.run("SELECT 1") }
      #expect(throws: StoreError.self) { try connection.pipeline([statement]) }
    }
  }
}

@Suite("The address of a PostgreSQL server")
struct PostgresAddressTests {
  @Test(
    "has no password, and the error does not repeat it",
    arguments: [
      "postgres://team:hunter2@db/timelines", "host=db password=hunter2",
      "postgres://db/timelines?password=hunter2", "host=db sslpassword=hunter2",
      "postgres://team:ab/hunter2@db/timelines", "postgres://team:12/hunter2@db/timelines",
      "host=db dbname='postgres://team:hunter2@db'", "host=db options='-c x.password=hunter2'",
      "postgres://db:7543/timelines:hunter2", "host=db dbname='host=db password=hunter2'",
      "postgres://team%3Ahunter2@db/timelines",
    ])
  func refusesPasswords(text: String) throws {
    let error = #expect(throws: StoreError.self) { try PostgresAddress(text) }
    let words = "\(error, default: "")"
    #expect(
      words.contains("put it into ~/.pgpass, the file that PGPASSFILE names, or a service file"))
    #expect(!words.contains("hunter2"))
  }

  @Test(
    "is what libpq reads; the error repeats no part of another text",
    arguments: [
      "postgres://db:port/%zz hunter2", "hunter2", "host='hunter2", "host=db\0hunter2", "",
      "host=db\nhunter2",
    ])
  func refusesOthers(text: String) throws {
    let error = #expect(throws: StoreError.self) { try PostgresAddress(text) }
    #expect(!"\(error, default: "")".contains("hunter2"))
  }

  @Test(
    "may be a URI, keywords, or a service",
    arguments: [
      "postgres://db/timelines?sslmode=verify-full", "host=db user=team", "service=team",
      "postgres://team@[::1]:5433,db:5432/timelines", "host=@socket options='-csearch_path=a'",
    ])
  func accepts(text: String) throws {
    #expect(try PostgresAddress(text).text == text)
  }

  @Test(
    "limits how long a connection may take, also if it asks for no limit",
    arguments: [
      ("host=db", "10"), ("host=db connect_timeout=0", "10"), ("host=db connect_timeout=3", ""),
    ])
  func limitsConnecting(text: String, last: String) throws {
    let keywords = try PostgresAddress(text).keywords
    let after = keywords.drop { $0.name != "dbname" }
    #expect(after.first { $0.name == "connect_timeout" }?.value ?? "" == last)
  }

  @Test("of a server that does not answer is an error without a password")
  func namesFailure() throws {
    let address = try PostgresAddress("host=/nowhere dbname=timelines")
    let error = #expect(throws: StoreError.self) { try PostgresConnection(address) }
    #expect("\(error, default: "")".hasPrefix("The database does not answer: connecting failed: "))
  }
}
