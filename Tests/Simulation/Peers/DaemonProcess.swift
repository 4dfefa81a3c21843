import DebugServer
import FaultyDisk
import TimelineStore
import Timelines
import WebSockets
import Wire

/// A daemon: the real one, on a simulated network, disk and clock. It can be killed and started again.
///
/// Safe: the simulation has one thread.
final class DaemonProcess: @unchecked Sendable {
  let world: World
  private(set) var run: DaemonRun?
  private var disk = FaultyDisk(keepsHistory: false)
  private var isDiskBroken = false
  private var runs = 0
  private var chance: Chance
  /// The disk does not answer before that moment.
  var hangsUntil: Int64 = 0 { didSet { run?.runner.hangsUntil = hangsUntil } }
  /// Nothing is written before that moment.
  var writesHangUntil: Int64 = 0 { didSet { run?.runner.writesHangUntil = writesHangUntil } }

  init(_ world: World) {
    self.world = world
    chance = Chance(seed: world.seed, "daemon")
  }

  /// Starts it, unless it runs.
  func start() {
    guard run == nil else { return }
    runs += 1
    world.journal.record("daemon", "starts (\(runs))")
    do {
      run = try DaemonRun(world, disk, number: runs, chance.next())
      run?.runner.hangsUntil = hangsUntil
      run?.runner.writesHangUntil = writesHangUntil
    } catch  where isDiskBroken {
      // Whatever supervises it starts it again.
      world.journal.record("daemon", "cannot open its store: \(error)")
      world.scheduler.after(1_000_000) { [self] in start() }
    } catch {
      world.fail("store-opens", "The daemon cannot open its store: \(error)")
    }
  }

  /// Ends it in the middle of its work; the next start finds what it gave to the system.
  func kill() {
    world.journal.record("daemon", "is killed")
    end(leaving: disk.state)
  }

  /// Ends it like a power loss: each unsynced sector is kept, lost, or torn.
  func losePower() {
    world.journal.record("daemon", "loses power; \(disk.state.unsynced) changes are not synced")
    end(leaving: disk.state.afterPowerLoss { _ in chance.pick(of: [.lost, .kept, .torn]) })
  }

  /// A run cannot continue the work of an earlier one; the process ends with this error.
  func failedToBegin(_ error: any Error) {
    guard isDiskBroken else {
      return world.fail("branches-go-on", "Branches do not go on: \(error)")
    }
    world.journal.record("daemon", "ends: \(error)")
    let state = disk.state
    world.scheduler.soon { [self] in
      end(leaving: state)
      world.scheduler.after(1_000_000) { [self] in start() }
    }
  }

  private func end(leaving state: DiskState) {
    run?.die()
    run = nil
    disk = FaultyDisk(state, keepsHistory: false)
    isDiskBroken = false
  }

  /// Each operation of the disk fails from one of the next on, until it is repaired.
  func breakDisk(_ kind: DiskFaults.Kind, after operations: Int) {
    isDiskBroken = true
    disk.fail(DiskFaults(kind, at: disk.operationCount + operations, isLasting: true))
  }

  func repairDisk() {
    isDiskBroken = false
    disk.fail(nil)
  }

  /// Ends it in order.
  func stop() {
    guard let run else { return }
    world.journal.record("daemon", "ends")
    self.run = nil
    run.stop()
  }
}

/// One run of the daemon.
///
/// Safe: the simulation has one thread.
final class DaemonRun: DaemonNetwork, @unchecked Sendable {
  private let world: World
  private let executor: SimulatedExecutor
  let runner: SimulatedStoreRunner
  let store: Store
  private(set) var parts: DaemonParts?
  private var connections: [UInt64: SimulatedConnection] = [:]
  private var lastConnection: UInt64 = 0
  private var prunings = 0
  private(set) var isDead = false
  /// Whether it listens.
  private(set) var isReady = false
  let limits: ServerLimits

  var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  var uptime: Duration { world.scheduler.uptime }

  init(_ world: World, _ disk: FaultyDisk, number: Int, _ seed: UInt64) throws {
    self.world = world
    executor = SimulatedExecutor(world.scheduler)
    runner = SimulatedStoreRunner(world.scheduler, Chance(seed: seed, "store"))
    runner.slowest = world.plan.slowestCommit
    runner.slowestLook = world.plan.slowestLook
    var options = StoreOptions()
    let scheduler = world.scheduler
    options.runner = runner
    options.now = { World.wallClock + scheduler.now }
    options.uptime = { scheduler.uptime }
    options.chunkBytes = world.plan.chunkBytes
    options.sealedBytes = world.plan.chunkBytes * 4
    options.disk = disk
    store = try Store(folder: "/data", options: options)
    limits = world.plan.limits
    var names = Chance(seed: seed, "names")
    let secret = RecorderSecret(bytes: World.secret)
    var settings = Hub.Settings(secret: secret)
    settings.limits = limits
    let tokens = Chances(Chance(seed: seed, "tokens"))
    settings.token = { tokens.with { Token.random(bytes: 16, using: &$0) } }
    settings.time = { Timestamp(microseconds: World.wallClock + scheduler.now) }
    var plan = DaemonParts.Plan(settings, sessionFile: "/nowhere/sessions.json")
    plan.surroundings.clock = VirtualClock(scheduler: scheduler)
    let ids = Chances(Chance(seed: names.next(), "ids"))
    plan.surroundings.timelineID = { ids.with { TimelineID.random(using: &$0) } }
    let uploads = Chances(Chance(seed: names.next(), "uploads"))
    plan.surroundings.uploadName = { uploads.with { Token.random(bytes: 16, using: &$0) } }
    plan.log = JournalLog(world.journal)
    Task { [self, plan, store] in
      let parts = await DaemonParts(store, self, plan)
      do {
        self.parts = parts
        isReady = !isDead
        try await parts.begin()
      } catch {
        if !isDead { world.daemon.failedToBegin(error) }
      }
    }
  }

  // MARK: Network

  func enqueue(_ work: @escaping @Sendable () -> Void) {
    world.scheduler.soon { [self] in if !isDead { work() } }
  }

  func schedule(after time: Duration, _ work: @escaping @Sendable () -> Void) {
    world.scheduler.after(time.wholeMicroseconds) { [self] in if !isDead { work() } }
  }

  func renewIdentities() throws -> Bool { false }

  /// Takes a connection that was upgraded.
  func accept(_ end: SocketEnd, _ role: PeerRole, _ entrance: Entrance) {
    guard let parts, isReady else {
      return end.cut(
        SessionEnd(code: .abnormal, reason: "", side: .local, wasClean: false))
    }
    lastConnection += 1
    let connection = SimulatedConnection(lastConnection, end)
    connections[connection.id] = connection
    end.owner.received = { parts.received($0, from: connection) }
    end.owner.drained = { parts.drained(connection) }
    end.owner.isBusy = { parts.isBusy(connection) }
    end.owner.closed = { [weak self] ended in
      guard let self else { return }
      connections[connection.id] = nil
      world.connectionEnded(end.name, ended)
      parts.closed(connection)
    }
    end.begin()
    parts.opened(connection, as: role, through: entrance, host: "localhost")
  }

  /// The bytes that wait for the disk.
  var waitingBytes: Int { parts?.waitingBytes ?? 0 }

  /// Deletes all but one timeline of an app, or as many bytes as are too many; returns the timelines
  /// that are being written now.
  func prune(_ excess: Int64?) -> Set<TimelineID> {
    guard let parts else { return [] }
    prunings += 1
    Task { [store] in
      defer { prunings -= 1 }
      guard let excess else { return await parts.applyRetention(Retention(perApp: 1)) }
      guard let used = try? await store.read({ try $0.usedBytes() }) else { return }
      await parts.applyRetention(Retention(bytes: used - excess))
    }
    return parts.live
  }

  /// Whether retention is being applied: it may wait for the disk, or for a frozen daemon.
  var isPruning: Bool { prunings > 0 }

  /// Whether the daemon shows a timeline as being written.
  func isLive(_ timeline: TimelineID) -> Bool { parts?.live.contains(timeline) ?? false }

  func isFrozen(_ isFrozen: Bool) {
    for id in connections.keys.sorted() {
      if isFrozen { connections[id]?.end.freeze() } else { connections[id]?.end.isFrozen = false }
    }
  }

  // MARK: Ends

  /// Ends silently. Its remaining tasks run to completion on a disk that is no longer used.
  func die() {
    isDead = true
    isReady = false
    closeConnections()
    runOut()
  }

  /// Ends in order.
  func stop() {
    isReady = false
    closeConnections()
    runOut()
    isDead = true
  }

  private func closeConnections() {
    let open = connections.sorted { $0.key < $1.key }.map(\.value)
    connections = [:]
    for connection in open {
      connection.end.die()
      // Tasks that wait for room on it continue.
      parts?.closed(connection)
    }
  }

  private func runOut() {
    runner.isInHaste = true
    let isOver = Left(false)
    Task { [parts, store] in
      await parts?.stop()
      await store.close()
      isOver.value = true
    }
    world.scheduler.drain()
    if !isOver.value { world.journal.record("daemon", "something of it does not end") }
    parts = nil
  }
}

/// A connection, as the daemon sees it.
///
/// Safe: the simulation has one thread.
final class SimulatedConnection: DaemonConnection, @unchecked Sendable {
  let id: UInt64
  let end: SocketEnd

  init(_ id: UInt64, _ end: SocketEnd) {
    self.id = id
    self.end = end
  }

  var queuedMessages: Int { end.queue.count }
  var queuedBytes: Int { end.queue.bytes }
  var sentBytes: Int { end.sentBytes }
  func send(_ message: SocketMessage) -> SendResult { end.send(message) }
  func close(code: SessionCloseCode, reason: String, discarding: Bool) {
    end.close(code: code.rawValue, reason: reason, discarding: discarding)
  }
  func limitMessages(to bytes: Int) { end.limitMessages(to: bytes) }
  func pauseReading() { end.setReading(false) }
  func resumeReading() { end.setReading(true) }
}

/// Random numbers for closures.
///
/// Safe: the simulation has one thread.
final class Chances: @unchecked Sendable {
  private var chance: Chance

  init(_ chance: Chance) {
    self.chance = chance
  }

  func with<Value>(_ body: (inout Chance) -> Value) -> Value { body(&chance) }
}

/// The daemon's log in the journal.
private struct JournalLog: Log {
  let journal: Journal

  init(_ journal: Journal) {
    self.journal = journal
  }

  func write(_ event: LogEvent) {
    journal.record("daemon", "\(event.level.rawValue) \(event.name): \(event.message)")
  }
}
