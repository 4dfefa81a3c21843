import Foundation
import Synchronization
import TestSupport
import Testing
import Timelines

@testable import DebugServer
@testable import TimelineStore

@Suite("A standby")
struct StandbyTests {
  @Test("reports another daemon once, and a database that does not answer until it answers again")
  func reportsChanges() {
    var watch = StandbyWatch()
    let (first, renewed) = (
      StandbyWatch.Failure.leased(by: "one", until: "12:00"),
      StandbyWatch.Failure.leased(by: "one", until: "12:01")
    )
    #expect(watch.receive(first) == [.reportHolder("one", until: "12:00")])
    #expect(watch.receive(renewed) == [])
    #expect(watch.receive(.unreachable("no route")) == [.reportProblem("no route")])
    #expect(watch.receive(.unreachable("no answer")) == [])
    #expect(watch.receive(renewed) == [.reportRecovery])
    #expect(
      watch.receive(.leased(by: "two", until: "12:02")) == [.reportHolder("two", until: "12:02")])
    #expect(watch.host == "two")
  }

  @Test("names the other daemon to commands, and replaces it when that one's lease ends")
  func replaces() async throws {
    let world = try StandbyWorld()
    defer { world.remove() }
    world.database.refuse(times: 4)
    let (events, event) = AsyncStream.makeStream(of: String.self)
    let server = Server(world.configuration)
    let task = Task {
      defer { event.finish() }
      try await server.run { _ in
        event.yield("serves")
      } waiting: {
        event.yield("waits")
      }
    }
    var seen = events.makeAsyncIterator()
    #expect(await seen.next() == "waits")
    let error = await #expect(throws: ServerError.self) {
      try await Backends.open(world.configuration, needing: .daemon)
    }
    #expect(error == ServerError(.standby(data: world.data, host: "alpha")))
    for _ in 0..<4 { world.pauses.end() }
    #expect(await seen.next() == "serves")
    #expect(world.database.holders.allSatisfy { $0.milliseconds == 6_000 })
    #expect(world.pauses.lengths == Array(repeating: .seconds(2), count: 4))
    #expect(!FileManager.default.fileExists(atPath: world.data + "/standby"))
    let backend = try await Backends.open(world.configuration, needing: .daemon)
    await backend.close()
    task.cancel()
    try await task.value
    #expect(world.database.releases == 1)
    let names = world.log.events.map(\.name)
    #expect(
      names.filter { $0 == "standby" || $0 == "standby.ended" } == ["standby", "standby.ended"])
  }

  @Test("ends at once while it waits, and leaves no sign of it")
  func endsWhileWaiting() async throws {
    let world = try StandbyWorld()
    defer { world.remove() }
    world.database.refuse(times: .max)
    let (waits, wait) = AsyncStream.makeStream(of: Void.self)
    let server = Server(world.configuration)
    let task = Task { try await server.run(waiting: { wait.yield() }) }
    for await _ in waits { break }
    task.cancel()
    try await task.value
    #expect(world.database.holders.count == 1 && world.database.releases == 0)
    #expect(!FileManager.default.fileExists(atPath: world.data + "/standby"))
    #expect(world.log.events.last?.name == "stopped")
  }

  @Test("ends while the database does not answer, and keeps no lease that it gets after that")
  func endsWithoutAnswer() async throws {
    let world = try StandbyWorld()
    defer { world.remove() }
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let answer = DispatchSemaphore(value: 0)
    world.database.delay {
      ask.yield()
      answer.wait()
    }
    let server = Server(world.configuration)
    let task = Task { try await server.run() }
    for await _ in asked { break }
    task.cancel()
    try await task.value
    #expect(world.database.releases == 0)
    answer.signal()
    #expect(eventually { world.database.releases == 1 })
  }

  @Test("ends with an error when the other daemon has converted the database to a newer format")
  func newerFormat() async throws {
    let world = try StandbyWorld()
    defer { world.remove() }
    world.database.refuse(times: 1, then: StoreError(.newer(format: 9, known: 2)))
    world.pauses.end()
    let error = await #expect(throws: ServerError.self) {
      try await Server(world.configuration).run()
    }
    #expect("\(error, default: "")".hasPrefix("The database has format 9;"))
  }

  @Test("that was killed is not believed")
  func otherProcess() throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let file = StandbyFile(data: folder)
    #expect(file.host(ofProcess: Int64(getpid())) == nil)
    try file.write("alpha")
    #expect(file.host(ofProcess: Int64(getpid())) == "alpha")
    #expect(file.host(ofProcess: 1) == nil)
  }
}

/// A standby in this process, with a database whose answers a test decides.
private struct StandbyWorld {
  let data: String
  let log = KeptLog()
  let pauses = Pauses()
  let database: ScriptedDatabase
  let configuration: ServerConfiguration

  init() throws {
    data = try TemporaryFolder.make()
    let rows = data + "/elsewhere"
    try FileManager.default.createDirectory(atPath: rows, withIntermediateDirectories: true)
    database = ScriptedDatabase(rows: rows + "/rows")
    var configuration = ServerConfiguration(data: data)
    configuration.places = [ServerConfiguration.Place(host: "127.0.0.1", port: 0)]
    configuration.database = database
    configuration.isStandby = true
    configuration.log = log
    let pauses = pauses
    configuration.standbyPause = { length in
      await pauses.wait(length)
      try Task.checkCancellation()
    }
    self.configuration = configuration
  }

  func remove() { TemporaryFolder.remove(data) }
}

/// Pauses that end when a test says so, or when the task is canceled.
private final class Pauses: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation
  private let asked = Mutex<[Duration]>([])

  init() { (stream, continuation) = AsyncStream.makeStream(of: Void.self) }

  var lengths: [Duration] { asked.withLock { $0 } }

  func end() { continuation.yield() }

  func wait(_ length: Duration) async {
    asked.withLock { $0.append(length) }
    for await _ in stream { break }
  }
}

/// A database of another machine, whose rows are in a file here.
private final class ScriptedDatabase: SharedDatabase {
  private struct State {
    var refusals = 0
    var error: StoreError?
    var delay: (@Sendable () -> Void)?
    var holders: [LeaseHolder] = []
    var releases = 0
  }

  let address = "service=scripted"
  private let rows: String
  private let state = Mutex(State())

  init(rows: String) { self.rows = rows }

  var holders: [LeaseHolder] { state.withLock { $0.holders } }
  var releases: Int { state.withLock { $0.releases } }

  func refuse(times: Int, then error: StoreError? = nil) {
    state.withLock { ($0.refusals, $0.error) = (times, error) }
  }

  func delay(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.delay = body } }

  func acquireLease(as holder: LeaseHolder) throws(StoreError) -> any DatabaseLease {
    let delay = state.withLock { state in
      state.holders.append(holder)
      return state.delay
    }
    delay?()
    let error = state.withLock { state in
      guard state.refusals > 0 else { return state.error }
      state.refusals -= 1
      return StoreError(.leased(by: "alpha", until: "2026-01-01T12:00:00Z"))
    }
    if let error { throw error }
    return Lease(database: self, milliseconds: holder.milliseconds)
  }

  private struct Lease: DatabaseLease {
    let database: ScriptedDatabase
    let milliseconds: Int

    var source: any RowSource { SQLiteSource(path: database.rows, disk: SystemDisk()) }

    func renew() throws(StoreError) -> Durability { .oneMachine }

    func release() { database.state.withLock { $0.releases += 1 } }
  }
}
