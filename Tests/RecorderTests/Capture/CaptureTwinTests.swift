import Replaying
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines

@testable import Recorder

@Suite("Captured steps are what a plain array keeps")
struct CaptureTwinTests {
  @Test(
    "each step that is read is the array's next one, after as many as the reader says are lost",
    arguments: [(2, 1), (7, 3), (64, 20), (1_000, 50), (65_536, 30), (65_536, 4_096)], 0..<4)
  func sameSteps(limits: (events: Int, states: Int), seed: UInt64) throws {
    var world = CaptureWorld(events: limits.events, states: limits.states, seed: seed)
    for _ in 0..<3_000 { try world.act() }
    try world.readAll()
    #expect(world.passed + world.inbox.uncountedLosses == world.twin.count)
    #expect(world.writer.statesWaiting == 0)
    // There is room for all with the largest limits alone.
    #expect((world.lost == 0) == (limits.states == 4_096))
  }
}

/// A step with everything spelled out, and nothing left to the note of another.
private struct PlainStep: Equatable {
  var payload: Int?
  var before: Int?
  var after: Int?
  var number: Int
  var time: UInt64
  var line: UInt32
  var duration: UInt64?
}

/// A writer and a reader of one inbox, next to an array of all steps.
private struct CaptureWorld {
  let inbox: Inbox<Int, Int>
  let writer: StepWriter<Int, Int>
  private var reader: StepReader<Int, Int>
  private(set) var twin: [PlainStep] = []
  /// The number of steps that were read or reported as lost.
  private(set) var passed = 0
  private(set) var lost = 0
  private var random: SeededGenerator
  private var time: UInt64 = 1
  private var lastPayload = 0

  init(events: Int, states: Int, seed: UInt64) {
    var limits = CaptureLimits()
    (limits.events, limits.states) = (events, states)
    inbox = Inbox(limits: limits, wakeSignal: WakeSignal())
    let machine = RecordedMachine(
      name: "numbers", kind: "reducer", identity: 1, encoding: .codable, timeline: .random(),
      recordRestore: { _, _ in })
    writer = StepWriter(
      Registration(inbox: inbox, clock: RecorderClock { 1 }, machine: machine))
    reader = StepReader(inbox)
    random = SeededGenerator(seed: seed)
  }

  /// Writes mostly one step, or reads: less often than it writes, so that steps wait.
  mutating func act() throws {
    if isOne(in: 4) { time += 1 }
    if isOne(in: 16) { reader.poll(at: time) }
    if isOne(in: 64) { try read(Int.random(in: 0..<40, using: &random)) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: writeCanceled()
    case 1: writeReplacement()
    case 2: writeNested()
    case 3: writeNestedCanceled()
    case 4: writeCompleted()
    default:
      let payload = begin()
      finish(payload)
    }
  }

  mutating func readAll() throws { try read(.max) }
}

// What a machine does.
extension CaptureWorld {
  private mutating func isOne(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func begin() -> Int {
    lastPayload += 1
    writer.begin(lastPayload)
    return lastPayload
  }

  private mutating func writeCanceled() {
    _ = begin()
    writer.cancel()
  }

  /// A reducer that calls its own function: the inner step ends first.
  private mutating func writeNested() {
    let outer = begin()
    let inner = begin()
    finish(inner)
    finish(outer)
  }

  private mutating func writeNestedCanceled() {
    let outer = begin()
    writeCanceled()
    finish(outer)
  }

  private mutating func writeCompleted() {
    let completed = begin() + 1_000_000
    writer.complete(completed)
    finish(completed)
  }

  private mutating func writeReplacement() {
    writer.begin(nil)
    let step = nextStep(nil)
    writer.finish(
      twin.count, number: step.number, callSite: site(step), extra: extra(step), time: step.time,
      isReplaced: true)
    add(step, after: twin.count)
  }

  private mutating func finish(_ payload: Int) {
    let step = nextStep(payload)
    let after = writer.hasRoomForState ? twin.count : nil
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      writer.finishThinned(
        number: step.number, callSite: site(step), extra: extra(step), time: step.time)
      add(step)
    case 1:
      writer.finish(
        -twin.count, twin.count, number: step.number, callSite: site(step), extra: extra(step),
        time: step.time)
      add(step, before: after.map { -$0 }, after: after)
    case 2...4:
      finishEventOnly(payload)
    default:
      writer.finish(
        twin.count, number: step.number, callSite: site(step), extra: extra(step), time: step.time)
      add(step, after: after)
    }
  }

  /// Everything but the event is as in the step before, if that had no state.
  private mutating func finishEventOnly(_ payload: Int) {
    guard writer.noteCount > 0, !writer.lastNote.hasState, var step = twin.last else {
      let step = nextStep(payload)
      writer.finishThinned(
        number: step.number, callSite: site(step), extra: extra(step), time: step.time)
      return add(step)
    }
    (step.payload, step.number, step.duration) = (payload, writer.nextNumber, nil)
    writer.finishEventOnly()
    add(step)
  }

  private mutating func nextStep(_ payload: Int?) -> PlainStep {
    PlainStep(
      payload: payload, number: writer.nextNumber + (isOne(in: 16) ? 3 : 0), time: time,
      line: isOne(in: 8) ? 2 : 1, duration: isOne(in: 8) ? 5 : nil)
  }

  private func site(_ step: PlainStep) -> CallSite {
    CallSite(file: "Tests/Numbers.swift", line: step.line)
  }

  private func extra(_ step: PlainStep) -> StepExtra? {
    step.duration.map { StepExtra.make(nil, $0) }
  }

  private mutating func add(_ step: PlainStep, before: Int? = nil, after: Int? = nil) {
    var step = step
    (step.before, step.after) = (before, after)
    twin.append(step)
  }
}

// What the recorder's thread does.
extension CaptureWorld {
  private mutating func read(_ maximum: Int) throws {
    for _ in 0..<maximum {
      var step = CapturedStep<Int, Int>()
      if reader.next(&step, willRead: {}) {
        try #require(passed < twin.count)
        try #require(Self.plain(step) == twin[passed], "step \(passed)")
        if step.after != nil { inbox.statesRead.add(1, ordering: .relaxed) }
        passed += 1
      } else {
        let gap = reader.removeLost()
        guard gap > 0 else { return }
        reader.clearLosses()
        lost += gap
        passed += gap
      }
    }
  }

  private static func plain(_ step: CapturedStep<Int, Int>) -> PlainStep {
    PlainStep(
      payload: step.payload, before: step.before, after: step.after, number: step.number,
      time: step.time, line: step.callSite.line, duration: step.duration)
  }
}
