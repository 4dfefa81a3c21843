import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import Testing
import Timelines

private struct Tally: Reducible, Codable, Sendable, Equatable {
  var count = 0
  var words: [String] = []
  enum Event: Codable, Sendable { case counted, said(String) }
  static func reduce(state: Tally, event: Event) -> Tally {
    var result = state
    switch event {
    case .counted: result.count += 1
    case .said(let word): result.words = [word]
    }
    return result
  }
}

/// A state that blocks the recorder's thread while it is encoded, until a gate opens.
private struct Gated: Codable, Sendable {
  final class Gate: Sendable {
    let isOpen = Atomic<Bool>(false)
    let isReached = Atomic<Bool>(false)
  }

  var number = 0
  var gate: Gate? = nil

  enum CodingKeys: CodingKey { case number }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    guard let gate else { return }
    gate.isReached.store(true, ordering: .releasing)
    while !gate.isOpen.load(ordering: .acquiring) {}
  }
}

@Suite("Captured steps stay within their limits")
struct CaptureBoundsTests {
  /// A recording whose thread is blocked in the first state, while `send` sends.
  private func whileBlocked(
    _ limits: (inout CaptureLimits) -> Void, _ send: ((Int, Int) -> Int) -> Void
  ) throws -> (MemoryRecording, Timeline) {
    let recording = MemoryRecording { limits(&$0.capture) }
    let gate = Gated.Gate()
    let reduce = recording.recorder.wrap(
      { (state: Gated, event: Int) in Gated(number: state.number + event) }, as: "gated")
    var state = reduce(Gated(number: 0, gate: gate), 1)
    while !gate.isReached.load(ordering: .acquiring) {}
    send { _, event in
      state = reduce(state, event)
      return state.number
    }
    gate.isOpen.store(true, ordering: .releasing)
    return (recording, try recording.timeline(named: "gated"))
  }

  @Test("beyond the limit of states, steps are thinned, and nothing is lost")
  func thins() throws {
    let (recording, timeline) = try whileBlocked({ $0.states = 10 }) { send in
      for _ in 0..<100 { _ = send(0, 1) }
    }
    recording.expectSound(timeline)
    #expect(timeline.entries.count == 102)
    #expect(timeline.lost.isEmpty)
    let thinned = timeline.entries.count { $0.isThinned }
    #expect((80...95).contains(thinned))
    #expect(recording.recorder.statistics.thinned == thinned)
    #expect(recording.recorder.statistics.recorded == 102)
  }

  @Test(
    "beyond the limit of events, the oldest and the latest are kept, and a gap counts the others"
  )
  func loses() throws {
    let (recording, timeline) = try whileBlocked({ $0.events = 20 }) { send in
      for _ in 0..<100 { _ = send(0, 1) }
    }
    recording.expectSound(timeline)
    // The first step was taken before; of the hundred that came ten to twenty are there, of them the
    // first ones, whose states follow from a captured one, and at least five at the end.
    #expect(timeline.entries.map(\.seq).starts(with: 0...6))
    #expect(timeline.lost.map(\.seqs.upperBound).max().map { $0 < 97 } == true)
    let lost = timeline.lost.reduce(0) { $0 + $1.seqs.count }
    #expect((80...90).contains(lost))
    #expect(timeline.entries.count == 102 - lost)
    #expect(timeline.lastSeq == 101)
    #expect(timeline.end?.state["number"]?.int == 101)
    #expect(recording.recorder.statistics.lost == lost)
    let advice = """
      \(lost) events of gated were lost: more events were sent than the recorder had room for. To fix, \
      send fewer events, or raise RecorderOptions.capture.events.
      """
    #expect(recording.recorder.statistics.lastError == advice)
  }

  @Test("losses are logged once")
  func log() throws {
    let lines = Mutex<[String]>([])
    let recording = MemoryRecording {
      $0.capture.lineBytes = 2_000
      $0.log = { line in lines.withLock { $0.append(line) } }
    }
    let machine = recording.recorder.record(Machine(Tally()), as: "tally")
    for _ in 0..<3 { machine.send(.said(String(repeating: "x", count: 9_000))) }
    #expect(recording.recorder.flush(within: .seconds(120)))
    #expect(lines.withLock(\.count) == 1)
  }

  @Test("a state that is too long for a line is omitted, with its length")
  func omits() throws {
    let lines = Mutex<[String]>([])
    let recording = MemoryRecording {
      $0.capture.lineBytes = 20_000
      $0.log = { line in lines.withLock { $0.append(line) } }
    }
    let cart = recording.recorder.machine("cart", initial: [String]())
    cart.record("grown", state: [String(repeating: "x", count: 50_000)])
    #expect(recording.recorder.flush(within: .seconds(120)))
    let advice = "To fix, raise RecorderOptions.capture.lineBytes, or record a smaller part."
    #expect(lines.withLock { $0.first }?.contains(advice) == true)
    let timeline = try recording.timeline(named: "cart")
    recording.expectSound(timeline)
    let entry = try #require(timeline.entries.last)
    #expect(entry.isThinned)
    #expect((entry.omitted ?? 0) >= 50_000)
    #expect(entry.eventName == "grown")
  }

  /// Without optimization a hundred take most of a minute.
  #if DEBUG
    private static let hugeBytes = 16 << 20
    private static let eventBytes = 1 << 20
  #else
    private static let hugeBytes = 100 << 20
    private static let eventBytes = 10 << 20
  #endif

  @Test("a small state has no length of a long one before it")
  func omitsNothing() throws {
    let now = Atomic<UInt64>(1)
    let recording = MemoryRecording {
      $0.capture.lineBytes = 20_000
      $0.clock = RecorderClock { now.load(ordering: .relaxed) }
    }
    let cart = recording.recorder.machine("cart", initial: "small")
    cart.record("grown", state: String(repeating: "x", count: 50_000))
    #expect(recording.recorder.flush(within: .seconds(120)))
    // States are skipped for a while, including this one.
    cart.record("shrunk", state: "small")
    let timeline = try recording.timeline(named: "cart")
    #expect((timeline.entries[1].omitted ?? 0) >= 50_000)
    #expect(timeline.entries[2].isThinned && timeline.entries[2].omitted == nil)
    now.store(1_000_000_000, ordering: .relaxed)
    cart.record("grown", state: "small again")
    #expect(try recording.timeline(named: "cart").end?.state == "small again")
  }

  @Test("a state of 100 MB and an event of 10 MB are recorded")
  func huge() throws {
    let recording = MemoryRecording()
    let cart = recording.recorder.machine("cart", initial: "small")
    cart.record("grown", state: String(repeating: "x", count: Self.hugeBytes))
    cart.record(String(repeating: "y", count: Self.eventBytes), state: "small again")
    cart.record("shrunk", state: "small")
    let timeline = try recording.timeline(named: "cart")
    recording.expectSound(timeline)
    #expect(timeline.entries.count == 4)
    #expect((timeline.entries[1].omitted ?? 0) >= Self.hugeBytes)
    #expect(timeline.entries[2].event?.string?.utf8.count == Self.eventBytes)
    #expect(timeline.entries[3].eventName == "shrunk")
  }

  @Test("an event that is too long for a line is replaced by a note")
  func longEvent() throws {
    let recording = MemoryRecording { $0.capture.lineBytes = 20_000 }
    let machine = recording.recorder.record(Machine(Tally()), as: "tally")
    machine.send(.said(String(repeating: "x", count: 30_000)))
    machine.send(.counted)
    let timeline = try recording.timeline(named: "tally")
    recording.expectSound(timeline)
    #expect(timeline.entries[1].event?["$error"]?.string?.contains("too long for a line") == true)
    let advice = "To fix, raise RecorderOptions.capture.lineBytes, or send smaller events."
    #expect(recording.recorder.statistics.lastError?.hasSuffix(advice) == true)
    #expect(timeline.entries.count == 3)
  }

  @Test("a reducer that changes a large state in place is thinned before it copies for long")
  func inPlace() throws {
    let now = Atomic<UInt64>(1)
    let recording = MemoryRecording {
      $0.clock = RecorderClock { now.load(ordering: .relaxed) }
    }
    let reduce = recording.recorder.wrap(
      inPlace: { (state: inout [Int], event: Int) in state[event] = -1 }, as: "numbers")
    var state = Array(0..<100_000)
    reduce(&state, 0)
    #expect(recording.recorder.flush(within: .seconds(120)))
    // No time passes, so only free copies are allowed.
    for index in 1..<1_000 { reduce(&state, index) }
    let thinned = try recording.timeline(named: "numbers").entries.count { $0.isThinned }
    #expect(thinned >= 998)
    now.store(10_000_000_000, ordering: .relaxed)
    reduce(&state, 5)
    let timeline = try recording.timeline(named: "numbers")
    recording.expectSound(timeline)
    #expect(timeline.entries.last?.isKeyframe == true)
    #expect(timeline.lost.isEmpty)
  }
}

@Suite("What cannot be recorded is reported, and the rest is recorded")
struct CaptureFailuresTests {
  private struct Picky: Codable, Sendable {
    struct Refusal: Error {}
    var number = 0
    init(number: Int) { self.number = number }
    init(from decoder: any Decoder) throws { number = 0 }
    func encode(to encoder: any Encoder) throws {
      guard number != 2 else { throw Refusal() }
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  @Test("a state that throws is omitted, an event that throws is replaced by a note")
  func throwing() throws {
    let recording = MemoryRecording()
    let reduce = recording.recorder.wrap(
      { (_: Picky, event: Picky) in Picky(number: event.number + 1) }, as: "picky")
    var state = Picky(number: 0)
    for number in [0, 1, 2, 3] { state = reduce(state, Picky(number: number)) }
    let timeline = try recording.timeline(named: "picky")
    recording.expectSound(timeline)
    #expect(timeline.entries.count == 5)
    #expect(timeline.entries[2].isThinned)
    #expect(timeline.entries[2].error?.hasPrefix(Entry.failure(of: "state")) == true)
    #expect(timeline.entries[3].event?["$error"] != nil)
    #expect(timeline.entries[4].isKeyframe)
    #expect(recording.recorder.statistics.failures == 2)
    let advice = "To fix, let encode(to:) succeed for every value."
    #expect(recording.recorder.statistics.lastError?.hasSuffix(advice) == true)
  }

  @Test("numbers that are not finite are strings")
  func notFinite() throws {
    let recording = MemoryRecording()
    let form = recording.recorder.record(StateForm(state: [1.5]), as: "numbers")
    form.apply { $0 = [.infinity, -.infinity, .nan] }
    let timeline = try recording.timeline(named: "numbers")
    recording.expectSound(timeline)
    #expect(timeline.end?.state == ["inf", "-inf", "nan"])
  }

  @Test("types that are not Codable are recorded by reflection")
  func reflected() throws {
    struct Plain: Reducible, Sendable {
      var names: Set<String> = ["a"]
      enum Event: Sendable { case renamed(to: String) }
      static func reduce(state: Plain, event: Event) -> Plain {
        switch event {
        case .renamed(let name): Plain(names: [name])
        }
      }
    }
    let recording = MemoryRecording()
    let machine = recording.recorder.record(Machine(Plain()), as: "plain")
    machine.send(.renamed(to: "b"))
    let timeline = try recording.timeline(named: "plain")
    recording.expectSound(timeline)
    #expect(timeline.end?.state == ["names": ["b"]])
    #expect(timeline.entries[1].event?.text == #"{"renamed":{"to":"b"}}"#)
    #expect(timeline.header.machine.encoding == "reflected")
  }

  @Test("types that are not Sendable are encoded on the caller's thread")
  func onCaller() throws {
    final class Box { var number = 1 }
    struct Holder: Reducible {
      var box = Box()
      var list: [Int] = []
      enum Event { case added(Box) }
      static func reduce(state: Holder, event: Event) -> Holder {
        switch event {
        case .added(let box):
          var result = state
          result.list.append(box.number)
          return result
        }
      }
    }
    let recording = MemoryRecording()
    let machine = recording.recorder.record(Machine(Holder()), as: "holder", encoded: .onCaller)
    let box = Box()
    machine.send(.added(box))
    // Changed after it was recorded, and before it is written.
    box.number = 5
    machine.send(.added(box))
    let timeline = try recording.timeline(named: "holder")
    recording.expectSound(timeline)
    #expect(timeline.state(at: 1)?["list"] == [1])
    #expect(timeline.entries[1].event?.text == #"{"added":{"_0":{"number":1}}}"#)
    #expect(timeline.state(at: 2)?["list"] == [1, 5])
    #expect(timeline.header.machine.encoding == "caller")
  }
}
