import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines

/// Counts live states, and blocks the recorder's thread until it is opened.
private final class Gate: Sendable {
  let isOpen = Atomic<Bool>(false)
  let isReached = Atomic<Bool>(false)
  let alive = Atomic(0)

  func waitUntilReached() { while !isReached.load(ordering: .acquiring) {} }
  func open() { isOpen.store(true, ordering: .releasing) }
}

/// A state of some length; one with a gate blocks the recorder's thread.
private struct Heavy: Reducible, Codable, Sendable {
  final class Token: Sendable {
    let gate: Gate
    init(_ gate: Gate) {
      self.gate = gate
      gate.alive.add(1, ordering: .relaxed)
    }
    deinit { gate.alive.subtract(1, ordering: .relaxed) }
  }

  enum Event: String, Codable, Sendable { case counted }
  enum CodingKeys: CodingKey { case number, text }

  var number = 0
  var text = ""
  var isGate = false
  var token: Token? = nil

  init(_ number: Int, text: String = "", of gate: Gate, isGate: Bool = false) {
    (self.number, self.text, self.isGate, token) = (number, text, isGate, Token(gate))
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(Int.self, forKey: .number)
    text = try container.decode(String.self, forKey: .text)
  }

  static func reduce(state: Heavy, event: Event) -> Heavy {
    var next = state
    next.number += 1
    next.isGate = false
    return next
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    try container.encode(text, forKey: .text)
    guard isGate, let gate = token?.gate else { return }
    gate.isReached.store(true, ordering: .releasing)
    while !gate.isOpen.load(ordering: .acquiring) {}
  }
}

@Suite("What the recorder has no room for is reported")
struct CaptureLossTests {
  /// Checks that each entry with a state has the state of its number, and that missing entries are
  /// reported.
  private func check(_ timeline: Timeline, count: Int, _ recording: MemoryRecording) {
    recording.expectSound(timeline)
    let lost = timeline.lost.reduce(0) { $0 + $1.seqs.count }
    #expect(timeline.entries.count + lost == count + 1)
    for entry in timeline.entries where !entry.isThinned {
      #expect(timeline.state(at: entry.seq)?["number"]?.int == entry.seq)
    }
  }

  @Test("also if only a canceled step comes after it")
  func end() throws {
    let recording = MemoryRecording { $0.capture.events = 2 }
    let gate = Gate()
    var machine: Machine<Heavy>? = Machine(Heavy(0, of: gate, isGate: true))
    recording.recorder.record(machine!, as: "heavy")
    gate.waitUntilReached()
    for _ in 0..<10 { machine?.send(.counted) }
    // A block is started for the next one, for which another is dropped, and is then discarded.
    machine?.kernel.tap?.willHandle(.counted)
    machine?.kernel.tap?.willHandle(nil)
    machine = nil
    gate.open()
    let timeline = try recording.timeline(named: "heavy")
    recording.expectSound(timeline)
    let lost = timeline.lost.reduce(0) { $0 + $1.seqs.count }
    #expect(recording.recorder.close(within: .seconds(120)))
    let end = try #require(recording.memory.gapAtEnd(of: timeline.header.timeline))
    #expect(end.lost > 0 && timeline.entries.count + lost + Int(end.lost) == 11)
    #expect(recording.recorder.statistics.lost == lost + Int(end.lost))
  }

  @Test("of states that replace one another some wait, and the last is recorded")
  func replacements() throws {
    let text = String(repeating: "x", count: 64 << 10)
    let recording = MemoryRecording { $0.capture.bytes = 1 << 20 }
    let gate = Gate()
    let mirror = recording.recorder.machine("mirror", initial: Heavy(0, text: text, of: gate))
    #expect(recording.recorder.flush(within: .seconds(120)))
    mirror.replace(by: Heavy(1, text: text, of: gate, isGate: true))
    gate.waitUntilReached()
    var most = 0
    for number in 2...5_000 {
      mirror.replace(by: Heavy(number, text: text, of: gate))
      most = max(most, gate.alive.load(ordering: .relaxed))
    }
    // Fifteen have room, and as many again.
    #expect((16...35).contains(most))
    gate.open()
    let timeline = try recording.timeline(named: "mirror")
    check(timeline, count: 5_000, recording)
    #expect(timeline.entries.allSatisfy { !$0.isThinned })
    #expect(timeline.lastSeq == 5_000)
    #expect(timeline.end?.state["number"] == 5_000)
    #expect(recording.recorder.statistics.lost > 4_900)
  }

  @Test(
    "of states that replace one another and events, whatever is lost or thinned",
    arguments: [(20, 1), (64, 5), (65_536, 3)])
  func mixed(events: Int, states: Int) throws {
    let recording = MemoryRecording {
      $0.capture.events = events
      $0.capture.states = states
    }
    let gate = Gate()
    let mirror = recording.recorder.machine("mirror", initial: Heavy(0, of: gate, isGate: true))
    gate.waitUntilReached()
    var random = SeededGenerator(seed: UInt64(events))
    var most = 0
    for number in 1...4_000 {
      if Int.random(in: 0..<4, using: &random) == 0 {
        mirror.replace(by: Heavy(number, of: gate))
      } else {
        mirror.record("counted", state: Heavy(number, of: gate))
      }
      if number < 2_000 { most = max(most, gate.alive.load(ordering: .relaxed)) }
      if number == 2_000 { gate.open() }
    }
    #expect(most <= 2 * states + 3)
    mirror.replace(by: Heavy(4_001, of: gate))
    let timeline = try recording.timeline(named: "mirror")
    check(timeline, count: 4_001, recording)
    #expect(timeline.end?.state["number"] == 4_001)
  }

  @Test("the largest numbers mean no limit")
  func limitless() throws {
    let recording = MemoryRecording {
      ($0.capture.states, $0.capture.bytes, $0.capture.events) = (.max, .max, .max)
    }
    let gate = Gate()
    let mirror = recording.recorder.machine("mirror", initial: Heavy(0, of: gate, isGate: true))
    for number in 1...100 { mirror.replace(by: Heavy(number, of: gate)) }
    gate.open()
    let timeline = try recording.timeline(named: "mirror")
    check(timeline, count: 100, recording)
    #expect(timeline.lost.isEmpty)
  }

  private struct Stubborn: Encodable {
    struct Refusal: Error {}
    let isWritable: Bool
    func encode(to encoder: any Encoder) throws {
      guard isWritable else { throw Refusal() }
      var container = encoder.singleValueContainer()
      try container.encode("written")
    }
  }

  @Test("a state that cannot be encoded, with nothing after it, is a gap at the end")
  func unwritable() throws {
    let recording = MemoryRecording()
    let mirror = recording.recorder.machine("mirror", initial: Stubborn(isWritable: true))
    mirror.replace(by: Stubborn(isWritable: false))
    let timeline = try recording.timeline(named: "mirror")
    #expect(timeline.entries.count == 1)
    #expect(recording.recorder.close(within: .seconds(120)))
    #expect(recording.memory.gapAtEnd(of: timeline.header.timeline)?.lost == 1)
  }

  @Test("a live machine loses nothing when it is restored")
  func restores() throws {
    let recording = MemoryRecording { $0.capture.states = 10 }
    let gate = Gate()
    let machine = recording.recorder.record(Machine(Heavy(0, of: gate, isGate: true)), as: "heavy")
    gate.waitUntilReached()
    for number in 1...400 {
      if number.isMultiple(of: 50) {
        machine.restore(Heavy(number, of: gate))
      } else {
        machine.send(.counted)
      }
    }
    gate.open()
    let timeline = try recording.timeline(named: "heavy")
    check(timeline, count: 400, recording)
    #expect(timeline.lost.isEmpty)
    #expect(timeline.entries.filter(\.isJump).map(\.seq) == (1...8).map { $0 * 50 })
  }
}
