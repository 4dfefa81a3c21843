import JSONCore
import Recorder
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines

/// Counts how many of its kind there are.
private final class Token: Sendable {
  static let alive = Atomic(0)

  init() { Self.alive.add(1, ordering: .relaxed) }
  deinit { Self.alive.subtract(1, ordering: .relaxed) }
}

/// A state and events that contain an object to release.
private struct Counted: Reducible, Codable, Sendable {
  var number = 0
  var token = Token()

  enum Event: Codable, Sendable { case counted(Held) }

  struct Held: Codable, Sendable {
    var number: Int
    var token = Token()
    init(_ number: Int) { self.number = number }
    enum CodingKeys: CodingKey { case number }
  }

  enum CodingKeys: CodingKey { case number }

  static func reduce(state: Counted, event: Event) -> Counted {
    switch event {
    case .counted(let held): Counted(number: held.number)
    }
  }
}

@Suite("Steps that are written while others are read", .serialized)
struct CaptureRaceTests {
  @Test(
    "each entry holds its own event and state, whatever is lost or thinned",
    arguments: [(2, 1), (7, 3), (64, 20), (1_000, 4_096), (65_536, 4_096)])
  func race(events: Int, states: Int) throws {
    let recording = MemoryRecording {
      $0.capture.events = events
      $0.capture.states = states
    }
    let machine = recording.recorder.record(Machine(Counted()), as: "counted")
    // A function's steps have two states each.
    let reduce = recording.recorder.wrap(Counted.reduce, as: "function")
    var state = Counted()
    let start = ContinuousClock.now
    let count = 4_000
    var random = SeededGenerator(seed: UInt64(events))
    for number in 1...count {
      machine.send(.counted(Counted.Held(number)))
      state = reduce(state, .counted(Counted.Held(number)))
      // From time to time the recorder's thread catches up.
      if Int.random(in: 0..<500, using: &random) == 0 {
        #expect(recording.recorder.flush(within: .seconds(120)))
      }
    }
    let timelines = try ["counted", "function"].map { try recording.timeline(named: $0) }
    let most = Int64((ContinuousClock.now - start) / .nanoseconds(1))
    let lost = try timelines.reduce(0) {
      try $0 + check($1, count: count, longest: most, recording)
    }
    #expect(recording.recorder.statistics.lost == lost)
  }

  /// Checks that each entry is what its number says. Returns how many were lost.
  private func check(
    _ timeline: Timeline, count: Int, longest: Int64, _ recording: MemoryRecording
  ) throws -> Int {
    #expect(timeline.entries.allSatisfy { ($0.ns ?? 0) <= longest })
    recording.expectSound(timeline)
    let lost = timeline.lost.reduce(0) { $0 + $1.seqs.count }
    #expect(timeline.entries.count + lost == count + 1)
    #expect(timeline.lastSeq == Int64(count))
    for entry in timeline.entries.dropFirst() {
      #expect(
        entry.event?.text == #"{"counted":{"_0":{"number":\#(entry.seq)}}}"#, "seq \(entry.seq)")
      guard !entry.isThinned, entry.seq % 64 == 0 else { continue }
      #expect(timeline.state(at: entry.seq)?["number"]?.int == entry.seq, "seq \(entry.seq)")
    }
    return lost
  }

  @Test("captured values are released, read or lost, when the machine is gone")
  func release() throws {
    let before = Token.alive.load(ordering: .relaxed)
    do {
      let recording = MemoryRecording { $0.capture.events = 100 }
      let machine = recording.recorder.record(Machine(Counted()), as: "counted")
      let reduce = recording.recorder.wrap(Counted.reduce, as: "function")
      for number in 0..<1_000 {
        machine.send(.counted(Counted.Held(number)))
        _ = reduce(Counted(), .counted(Counted.Held(number)))
      }
      #expect(recording.recorder.close(within: .seconds(120)))
      // The recorder no longer accepts these.
      for number in 0..<1_000 { machine.send(.counted(Counted.Held(number))) }
      #expect(machine.state.number == 999)
    }
    // Objects of an earlier test may be released meanwhile.
    #expect(Token.alive.load(ordering: .relaxed) <= before)
  }

  @Test("a function that calls itself is recorded in the order in which the calls end")
  func nested() throws {
    final class Recursion {
      var reduce: (Int, Int) -> Int = { state, _ in state }
    }
    let recording = MemoryRecording()
    let recursion = Recursion()
    recursion.reduce = recording.recorder.wrap(
      { [unowned recursion] (state: Int, event: Int) in
        event == 0 ? state + 100 : recursion.reduce(state, event - 1) + 1
      }, as: "nested")
    #expect(recursion.reduce(0, 3) == 103)
    let timeline = try recording.timeline(named: "nested")
    recording.expectSound(timeline)
    #expect(timeline.entries.compactMap { $0.event?.int } == [0, 1, 2, 3])
    #expect(timeline.end?.state == 103)
  }

  @Test("a step has the time when it was made, in a burst within four milliseconds")
  func times() throws {
    let clock = ContinuousClock()
    let recording = MemoryRecording()
    let form = recording.recorder.record(StateForm(state: 0), as: "number")
    #expect(recording.recorder.flush(within: .seconds(120)))
    let start = clock.now
    var made: [Int64] = []
    for _ in 0..<1_000 {
      form.apply { $0 += 1 }
      made.append((clock.now - start).microseconds)
    }
    let timeline = try recording.timeline(named: "number")
    let times = timeline.entries.dropFirst().map(\.t)
    try #require(times.count == made.count)
    // A step's time is a reading of the clock that was made for it or for one of the fifteen before
    // it, however long the thread was suspended in between. Nothing but the distance of the two clocks
    // is unknown, and the coarse clock of the system moves every ten milliseconds at the latest.
    let steps = 16..<times.count
    let newest = steps.map { times[$0] - made[$0] }.max() ?? 0
    let oldest = steps.map { times[$0] - made[$0 - 16] }.min() ?? 0
    #expect(newest <= oldest + 20_000)
    #expect(times == times.sorted())
  }

  @Test(
    "a recorder's thread that never goes on stops no machine of any kind",
    .timeLimit(.minutes(10)))
  func stopped() throws {
    let gate = Gate()
    let recording = MemoryRecording { $0.capture.events = 1_000 }
    let held = recording.recorder.machine("held", initial: Held(gate: gate))
    while !gate.isReached.load(ordering: .acquiring) {}
    let machine = recording.recorder.record(Machine(Counted()), as: "machine")
    let form = recording.recorder.record(StateForm(state: 0), as: "form")
    let reduce = recording.recorder.wrap(
      inPlace: { (state: inout [Int], event: Int) in state[event % 1_000] = event }, as: "function")
    var list = Array(repeating: 0, count: 1_000)
    // More than may wait, so that the bounds are reached while nothing is written. One wait for the
    // thread would last until the test's time limit.
    for number in 0..<20_000 {
      machine.send(.counted(Counted.Held(number)))
      form.apply { $0 += 1 }
      reduce(&list, number)
    }
    held.record("last", state: Held(gate: nil))
    #expect(machine.state.number == 19_999)
    #expect(form.state == 20_000)
    gate.isOpen.store(true, ordering: .releasing)
    #expect(recording.recorder.close(within: .seconds(60)))
    #expect(recording.recorder.statistics.lost > 0)
  }

  /// Blocks the thread that encodes it.
  private final class Gate: Sendable {
    let isOpen = Atomic(false)
    let isReached = Atomic(false)
  }

  private struct Held: Encodable, Sendable {
    let gate: Gate?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("held")
      guard let gate else { return }
      gate.isReached.store(true, ordering: .releasing)
      while !gate.isOpen.load(ordering: .acquiring) {}
    }
  }
}

extension Duration {
  fileprivate var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
