import TestSupport
import Testing
import Timelines

@testable import Recorder

@Suite("Outbox with more machines than places")
struct ParkingTests {
  private func expectComplete(_ world: CrowdWorld) {
    for machine in world.machines where machine.last >= 0 {
      let timeline = world.kept[machine.header.timeline]?.timeline
      #expect(timeline?.entries.map(\.seq) == Array(0...machine.last))
    }
    let counts = world.outbox.counts
    #expect(counts.dropped == 0 && counts.thinned == 0 && world.outbox.isFullyAcknowledged)
    #expect(counts.acknowledged == counts.recorded && counts.sent == counts.recorded)
    #expect(world.duplicates == 0)
  }

  @Test("delivers every entry once, with no more timelines open than places")
  func delivers() throws {
    var world = try CrowdWorld(machines: 50, places: 8)
    for number in 0..<50 { world.write(number) }
    try world.connect()
    try world.work()
    expectComplete(world)
    // Each was opened once: no timeline waited for one that was just used.
    #expect(world.time < .seconds(1))
    #expect(world.messages == ["open": 50, "append": 50, "close": 42])
    for round in 0..<5 {
      for number in 0..<50 where number % 5 == round { world.write(number) }
      try world.work()
    }
    expectComplete(world)
  }

  @Test("opens the timeline of an idle machine at once when the others have been idle, too")
  func idle() throws {
    var world = try CrowdWorld(machines: 50, places: 8)
    for number in 0..<50 { world.write(number) }
    try world.connect()
    try world.work()
    try world.pass(.seconds(60))
    world.messages = [:]
    world.slowest = .zero
    let parked = try #require(
      world.machines.indices.first {
        !world.opened.suffix(8).contains(world.machines[$0].header.timeline)
      })
    let leastRecent = try #require(world.opened.suffix(8).first)
    world.write(parked)
    try world.workNow()
    expectComplete(world)
    #expect(world.messages == ["open": 1, "append": 1, "close": 1] && world.slowest == .zero)
    #expect(world.kept[leastRecent]?.isParked == true)
    world.write(parked)
    try world.workNow()
    #expect(world.messages == ["open": 1, "append": 2, "close": 1])
  }

  @Test("lets busy machines take turns, with bounded work, and none waits for long")
  func busy() throws {
    var world = try CrowdWorld(machines: 40, places: 8)
    try world.connect()
    for number in world.machines.indices { world.write(number) }
    try world.work()
    world.messages = [:]
    for _ in 0..<600 {
      for number in world.machines.indices { world.write(number) }
      try world.pass(.milliseconds(100))
    }
    // 60 seconds: each of 8 places changes at most every 2 seconds.
    #expect(world.messages["open"] ?? 0 <= 8 * 30)
    #expect(world.messages["open"] ?? 0 >= 8 * 25)
    // 32 wait, 8 at a time are served every 2 seconds.
    let waited = world.machines.map { machine in
      Duration.milliseconds(100)
        * (machine.last - (world.kept[machine.header.timeline]?.timeline.lastSeq ?? -1))
    }
    #expect(waited.allSatisfy { $0 <= .seconds(12) }, "\(waited)")
    try world.work()
    expectComplete(world)
  }

  @Test("rarely looks for timelines to park while nothing is acknowledged, and soon afterwards")
  func stalled() throws {
    var world = try CrowdWorld(machines: 12, places: 4)
    try world.connect()
    for number in world.machines.indices { world.write(number) }
    try world.sendOnly()
    world.time += .seconds(1)
    try world.sendOnly()
    let start = world.time
    var looks = 0
    while world.time < start + .seconds(60) {
      world.time = try #require(world.outbox.deadline(now: world.time))
      try world.sendOnly()
      looks += 1
    }
    #expect(looks < 60, "at intervals up to the time of a place")
    let stalled = world.time
    try world.work()
    expectComplete(world)
    #expect(world.time - stalled < .milliseconds(500))
  }

  @Test("does not open a timeline again whose header was too long for the connection")
  func longHeader() throws {
    var outbox = Outbox(OutboxLimits())
    outbox.open(try sampleHeader(String(repeating: "m", count: 5_000)))
    try outbox.connect(credit: 1 << 20, maxMessage: 4_096, maxTimelines: 4, durable: [])
    #expect(outbox.next(now: .zero) == nil)
    #expect(outbox.timelines.first?.wasTried == true && outbox.timelines.first?.isRefused == true)
  }

  @Test("takes turns also when no machine is ever idle and everything is acknowledged late")
  func neverIdle() throws {
    var world = try CrowdWorld(machines: 12, places: 4)
    try world.connect()
    for number in world.machines.indices { world.write(number) }
    try world.work()
    for _ in 0..<300 {
      // The entries of this round are sent, and acknowledged after those of the next were written.
      for number in world.machines.indices { world.write(number) }
      world.time += .milliseconds(100)
      try world.sendOnly()
      for number in world.machines.indices { world.write(number) }
      try world.workNow()
    }
    for machine in world.machines {
      let last = world.kept[machine.header.timeline]?.timeline.lastSeq ?? -1
      #expect(machine.last - last <= 2 * 10 * 12)
    }
    try world.work()
    expectComplete(world)
  }

  @Test("opens each timeline once at the end of the recording, without waiting")
  func ending() throws {
    var world = try CrowdWorld(machines: 50, places: 8)
    try world.connect()
    for number in 0..<50 { world.write(number) }
    try world.work()
    try world.pass(.seconds(1))
    world.messages = [:]
    let start = world.time
    for number in 0..<50 {
      world.write(number)
      world.end(number)
    }
    world.outbox.flushSoon()
    try world.work()
    expectComplete(world)
    #expect(world.time - start < .seconds(1))
    #expect(world.messages == ["open": 42, "append": 50, "close": 50])
    #expect(world.kept.values.allSatisfy { $0.isEnded })
    #expect(world.outbox.openTimelines.isEmpty)
  }

  @Test("continues after a reconnect with timelines that 'hello' could not name")
  func reconnects() throws {
    var world = try CrowdWorld(machines: 50, places: 8)
    try world.connect()
    for number in 0..<50 { world.write(number) }
    try world.work()
    world.disconnect()
    for number in 0..<50 { world.write(number) }
    try world.connect()
    try world.work()
    expectComplete(world)
    // All are known to the daemon again, also those that had nothing to send.
    world.disconnect()
    try world.connect()
    try world.work()
    #expect(world.kept.values.count { $0.isOpen || $0.isParked } == 50)
    expectComplete(world)
  }

  @Test("begins with a state and a gap where the daemon has lost a timeline that was parked")
  func wiped() throws {
    var world = try CrowdWorld(machines: 50, places: 8)
    try world.connect()
    for number in 0..<50 { world.write(number) }
    try world.work()
    world.disconnect()
    world.kept = [:]
    try world.connect()
    try world.work()
    for number in 0..<50 { world.write(number) }
    try world.work()
    for machine in world.machines {
      let timeline = world.kept[machine.header.timeline]?.timeline
      #expect(timeline?.entries.map(\.seq) == [1])
      #expect(
        timeline?.entries.first?.gap?.lost == 1 && timeline?.entries.first?.isKeyframe == true)
    }
    #expect(world.outbox.counts.dropped == 0 && world.outbox.isFullyAcknowledged)
  }

  @Test("records a new timeline when a parked one was deleted", arguments: [true, false])
  func deleted(isConnected: Bool) throws {
    var world = try CrowdWorld(machines: 50, places: 8)
    try world.connect()
    for number in 0..<50 { world.write(number) }
    try world.work()
    if !isConnected { world.disconnect() }
    let parked = world.kept.filter { $0.value.isParked || !isConnected }.keys
    for id in parked { world.delete(id) }
    if !isConnected { try world.connect() }
    try world.work()
    for number in 0..<50 { world.write(number) }
    try world.work()
    expectComplete(world)
  }

  @Test("keeps the timeline of a controlled machine open, and opens it for a command")
  func control() throws {
    var world = try CrowdWorld(machines: 50, places: 8)
    try world.connect()
    for number in 0..<50 { world.write(number) }
    try world.work()
    try world.pass(.seconds(10))
    let held = try #require(world.kept.first { $0.value.isParked }?.key)
    world.outbox.hold(held, for: .seconds(15), now: world.time)
    try world.workNow()
    #expect(world.kept[held]?.isOpen == true)
    for round in 0..<14 {
      for number in 0..<50 where world.machines[number].header.timeline != held {
        world.write(number)
      }
      try world.pass(.seconds(1))
      #expect(world.kept[held]?.isOpen == true, "after \(round) seconds")
    }
    try world.pass(.seconds(20))
    for number in 0..<50 where world.machines[number].header.timeline != held {
      world.write(number)
    }
    try world.work()
    #expect(world.kept[held]?.isParked == true)
    expectComplete(world)
  }

  @Test("sends everything, whatever happens in between", arguments: 0..<40)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var world = try CrowdWorld(machines: 12, places: 3)
    var isWiped = false
    for _ in 0..<400 {
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: world.disconnect()
      case 1: try world.connectIfNeeded()
      case 2: try world.pass(.milliseconds(.random(in: 0...5_000, using: &generator)))
      case 3:
        world.disconnect()
        if seed % 2 == 0 { isWiped = world.lose(using: &generator) || isWiped }
      case 4:
        if let id = world.kept.keys.min(by: { $0.text < $1.text }), seed % 3 == 0 {
          world.delete(id)
        }
      case 5: world.outbox.flushSoon()
      case 6:
        let timeline = world.machines[.random(in: 0..<12, using: &generator)].header.timeline
        world.outbox.hold(timeline, for: .seconds(3), now: world.time)
      case 7: if seed % 5 == 0 { world.end(.random(in: 0..<12, using: &generator)) }
      case 8...10: try world.workNow()
      default: world.write(.random(in: 0..<12, using: &generator))
      }
    }
    try world.connectIfNeeded()
    // An entry without a base is lost where the daemon has forgotten it; the next one has a state.
    for _ in 0..<2 {
      for number in world.machines.indices { world.write(number) }
      try world.work()
    }
    #expect(world.outbox.isFullyAcknowledged)
    for machine in world.machines
    where machine.last >= 0 && !world.deleted.contains(machine.header.timeline) {
      // What was stored and then forgotten is not sent again.
      if machine.isEnded, isWiped { continue }
      let timeline = world.kept[machine.header.timeline]?.timeline
      let lost = timeline?.lost.flatMap(\.seqs) ?? []
      #expect((lost + (timeline?.entries.map(\.seq) ?? [])).sorted() == Array(0...machine.last))
      #expect(lost.isEmpty || isWiped)
    }
  }

  @Test("rejects a confirmation of an end that it did not send")
  func violations() throws {
    var world = try CrowdWorld(machines: 2, places: 1)
    try world.connect()
    for number in 0..<2 { world.write(number) }
    try world.work()
    let open = try #require(world.kept.first { $0.value.isOpen }?.key)
    #expect(throws: OutboxRefusal.notClosed(open)) {
      try world.outbox.acknowledge(open, through: 0, isClosed: true)
    }
    #expect(throws: OutboxRefusal.impossible("number of timelines", 0)) {
      try world.outbox.connect(credit: 1, maxMessage: 1 << 20, maxTimelines: 0, durable: [])
    }
  }
}

extension CrowdWorld {
  /// Sends without receiving answers.
  mutating func sendOnly() throws {
    let waiting = answers
    answers = []
    while case .frame(let frame)? = outbox.next(now: time) { try receive(frame) }
    answers = waiting + answers
  }

  mutating func connectIfNeeded() throws {
    if !outbox.isConnected { try connect() }
  }

  /// The daemon loses some timelines. Returns whether it did.
  mutating func lose(using generator: inout SeededGenerator) -> Bool {
    let lost = kept.keys.sorted { $0.text < $1.text }.filter { _ in
      Bool.random(using: &generator)
    }
    for id in lost { kept[id] = nil }
    return !lost.isEmpty
  }
}
