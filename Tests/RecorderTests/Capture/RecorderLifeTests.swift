import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines

private struct Tally: Reducible, Codable, Sendable, Equatable {
  var count = 0
  enum Event: String, Codable, Sendable { case counted, moved }
  static func reduce(state: Tally, event: Event) -> Tally { Tally(count: state.count + 1) }
}

private final class BackwardClock: Sendable {
  private let time = Atomic<UInt64>(1 << 40)
  var next: UInt64 { time.wrappingSubtract(1_000, ordering: .relaxed).newValue }
}

@Suite("Recorders and machines come and go")
struct RecorderLifeTests {
  @Test("two machines of one name have timelines of their own")
  func names() throws {
    let recording = MemoryRecording()
    let one = recording.recorder.record(Machine(Tally()), as: "tally")
    let other = recording.recorder.record(Machine(Tally()), as: "tally")
    one.send(.counted)
    other.send(.counted)
    other.send(.counted)
    #expect(try recording.timeline(named: "tally").entries.count == 2)
    #expect(try recording.timeline(named: "tally 2").entries.count == 3)
  }

  @Test("a name that ends in a number is unique, too")
  func numberedNames() throws {
    let recording = MemoryRecording()
    let machines = ["tally 2", "tally", "tally", "tally 2"].map {
      recording.recorder.record(Machine(Tally()), as: $0)
    }
    #expect(recording.recorder.flush(within: .seconds(120)))
    #expect(
      recording.memory.timelines.map(\.header.machine.name).sorted()
        == ["tally", "tally 2", "tally 2 2", "tally 3"])
    withExtendedLifetime(machines) {}
  }

  @Test("a machine can be recorded again once its recorder has ended")
  func again() throws {
    let first = MemoryRecording()
    let machine = first.recorder.record(Machine(Tally()), as: "tally")
    machine.send(.counted)
    let log = Mutex<[String]>([])
    let second = MemoryRecording { $0.log = { line in log.withLock { $0.append(line) } } }
    second.recorder.record(machine, as: "again")
    #expect(second.recorder.statistics.machines == 0)
    let advice = """
      tally is already recorded by another recorder, of Tests, and is not recorded twice. To fix, \
      close the other recorder first.
      """
    #expect(log.withLock { $0.first } == advice)
    #expect(first.recorder.close(within: .seconds(120)))
    machine.send(.counted)
    second.recorder.record(machine, as: "again")
    machine.send(.counted)
    let timeline = try second.timeline(named: "again")
    #expect(timeline.entries.count == 2 && timeline.end?.state["count"] == 3)
    #expect(first.memory.timeline(named: "tally")?.entries.count == 2)
  }

  @Test("machines that outlive their recorder are logged once, unless it was closed")
  func farewell() throws {
    for isClosed in [false, true] {
      let log = Mutex<[String]>([])
      let machine = Machine(Tally())
      do {
        let recording = MemoryRecording { $0.log = { line in log.withLock { $0.append(line) } } }
        recording.recorder.record(machine, as: "tally")
        machine.send(.counted)
        if isClosed { #expect(recording.recorder.close(within: .seconds(120))) }
      }
      // Its thread ends by itself.
      #expect(
        eventually {
          machine.send(.counted)
          return isClosed || !log.withLock { $0.isEmpty }
        })
      for _ in 0..<100 { machine.send(.counted) }
      let logged = log.withLock { $0 }
      #expect(logged.count == (isClosed ? 0 : 1))
      let advice = """
        The recorder of Tests was released while its machines are still in use, so their events are \
        not recorded. To fix, keep the StateRecorder as long as the machines, or close it.
        """
      #expect(logged.allSatisfy { $0 == advice }, "\(logged)")
    }
  }

  @Test("a clock that goes backwards gives no endless duration")
  func clock() throws {
    let clock = BackwardClock()
    let recording = MemoryRecording { $0.clock = RecorderClock { clock.next } }
    let reduce = recording.recorder.wrap(
      inPlace: { (state: inout Int, event: Int) in state += event }, as: "sum")
    var sum = 0
    for number in 0..<3 { reduce(&sum, number) }
    let timeline = try recording.timeline(named: "sum")
    #expect(timeline.entries.count == 4)
    #expect(timeline.entries.allSatisfy { ($0.ns ?? 0) < 1_000_000 })
  }

  @Test("recording a machine twice changes nothing")
  func twice() throws {
    let recording = MemoryRecording()
    let machine = recording.recorder.record(Machine(Tally()), as: "tally")
    recording.recorder.record(machine, as: "again")
    machine.send(.counted)
    #expect(try recording.timeline(named: "tally").entries.count == 2)
    #expect(recording.memory.timelines.count == 1)
  }

  @Test("a machine that goes away closes its timeline")
  func machineGone() throws {
    let recording = MemoryRecording()
    do {
      let machine = recording.recorder.record(Machine(Tally()), as: "tally")
      machine.send(.counted)
    }
    let timeline = try recording.timeline(named: "tally")
    #expect(timeline.entries.count == 2)
    while !recording.memory.isClosed(timeline.header.timeline)
      || recording.recorder.core?.machines.isEmpty == false
    {
      #expect(recording.recorder.flush(within: .seconds(120)))
    }
  }

  @Test("machines continue when the recorder is gone")
  func recorderGone() throws {
    let memory = MemorySink()
    let machine = Machine(Tally())
    do {
      var options = RecorderOptions()
      options.destinations = [.memory(memory)]
      let recorder = StateRecorder(
        app: "Tests", options: options, environment: RecorderEnvironment([:]))
      recorder.record(machine, as: "tally")
      machine.send(.counted)
      #expect(recorder.close(within: .seconds(120)))
    }
    for _ in 0..<1_000 { machine.send(.counted) }
    #expect(machine.state.count == 1_001)
    let timeline = try #require(memory.timeline(named: "tally"))
    #expect(timeline.entries.count == 2)
    #expect(memory.isClosed(timeline.header.timeline))
  }

  @Test("a recorder can be released while other threads send")
  func goneWhileSending() async throws {
    await withTaskGroup(of: Int.self) { group in
      let memory = MemorySink()
      var options = RecorderOptions()
      options.destinations = [.memory(memory)]
      let recorder = StateRecorder(
        app: "Tests", options: options, environment: RecorderEnvironment([:]))
      for _ in 0..<3 {
        group.addTask { [weak recorder] in
          let machine = Machine(Tally())
          recorder?.record(machine, as: "tally")
          for _ in 0..<20_000 { machine.send(.counted) }
          return machine.state.count
        }
      }
      recorder.close(within: .milliseconds(1))
      for await count in group { #expect(count == 20_000) }
    }
  }

  @Test("a closed recorder records nothing more")
  func closed() throws {
    let recording = MemoryRecording()
    #expect(recording.recorder.close(within: .seconds(120)))
    let machine = recording.recorder.record(Machine(Tally()), as: "tally")
    machine.send(.counted)
    #expect(recording.memory.timelines.isEmpty)
    #expect(recording.recorder.flush(within: .seconds(120)))
  }

  @Test("a cause in another machine is an entry of its timeline")
  func causes() throws {
    let recording = MemoryRecording()
    let one = recording.recorder.record(Machine(Tally()), as: "one")
    let other = recording.recorder.record(Machine(Tally()), as: "other")
    one.subscribe { _ in other.send(.counted) }
    one.send(.counted)
    let first = try recording.timeline(named: "one")
    let second = try recording.timeline(named: "other")
    #expect(
      second.entries.last?.cause
        == .elsewhere(EntryReference(timeline: first.header.timeline, seq: 1)))
  }

  @Test("excluded events are counted, and the states stay correct")
  func filter() throws {
    let recording = MemoryRecording { $0.events = EventFilter(deny: ["moved"]) }
    let machine = recording.recorder.record(Machine(Tally()), as: "tally")
    for event: Tally.Event in [.counted, .moved, .moved, .counted, .moved] { machine.send(event) }
    let timeline = try recording.timeline(named: "tally")
    recording.expectSound(timeline)
    #expect(timeline.entries.map(\.seq) == [0, 1, 4])
    #expect(timeline.entries.last?.gap?.lost == 2)
    #expect(timeline.state(at: 4)?["count"]?.int == 4)
    #expect(recording.recorder.statistics.denied == 3)
    #expect(recording.recorder.close(within: .seconds(120)))
    #expect(recording.memory.gapAtEnd(of: timeline.header.timeline)?.lost == 1)
  }

  @Test("a snapshot at least every few entries")
  func snapshots() throws {
    let recording = MemoryRecording { $0.snapshots = .atLeastEvery(4) }
    let machine = recording.recorder.record(
      StateForm(state: Array(0..<200)), as: "numbers")
    for number in 0..<20 { machine.apply { $0[number] = 0 } }
    let timeline = try recording.timeline(named: "numbers")
    recording.expectSound(timeline)
    #expect(timeline.keyframes == [0, 4, 8, 12, 16, 20])
    #expect(timeline.entries[4].patch != nil)
  }
}

@Suite("The environment switches recording")
struct RecorderEnvironmentTests {
  private func destinations(
    _ variables: [String: String], _ configured: [RecordingDestination] = [.daemon()]
  ) -> (texts: [String]?, log: [String]) {
    var log: [String] = []
    let texts = RecorderEnvironment(variables).destinations(configured) { log.append($0) }?
      .map { destination -> String in
        switch destination {
        case .daemon(let daemon):
          "daemon \(daemon.address ?? "-") \(daemon.secret ?? "-") \(daemon.secretPath ?? "-")"
        case .file(let path): "file \(path)"
        case .memory: "memory"
        }
      }
    return (texts, log)
  }

  @Test(
    "by DEBUGD",
    arguments: [
      ([:], ["daemon - - -"]),
      (["DEBUGD": ""], ["daemon - - -"]),
      (["DEBUGD": "off"], nil),
      (["DEBUGD": "file:/tmp/x"], ["file /tmp/x"]),
      (["DEBUGD": "file:///tmp/x"], ["file /tmp/x"]),
      (["DEBUGD": "unix:/run/d.sock"], ["daemon unix:/run/d.sock - -"]),
      (["DEBUGD": "ws://10.0.0.2:4000"], ["daemon ws://10.0.0.2:4000 - -"]),
      (
        ["DEBUGD": "wss://box:4000", "DEBUGD_SECRET_FILE": "/s"],
        ["daemon wss://box:4000 - /s"]
      ),
    ] as [([String: String], [String]?)])
  func table(variables: [String: String], expected: [String]?) {
    let (texts, log) = destinations(variables)
    #expect(texts == expected)
    #expect(log.isEmpty)
  }

  @Test("an invalid value is logged once, and recording continues as configured")
  func invalid() {
    for text in ["of", "http://x", "ws://x", "file:", "unix:relative"] {
      let (texts, log) = destinations(["DEBUGD": text], [.file("/tmp/y")])
      #expect(texts == ["file /tmp/y"])
      #expect(log.count == 1 && log.first?.contains(text) == true)
    }
  }

  @Test("DEBUGD_SOCKET names the socket of a daemon that has no other address")
  func socket() {
    let variables = ["DEBUGD_SOCKET": "/run/d.sock"]
    let configured: [RecordingDestination] = [
      .daemon(DaemonDestination(secret: "s")), .daemon(DaemonDestination(address: "ws://x:1")),
      .file("/f"),
    ]
    let found = destinations(variables, configured)
    #expect(found.texts == ["daemon unix:/run/d.sock s -", "daemon ws://x:1 - -", "file /f"])
    let both = destinations(variables.merging(["DEBUGD": "unix:/other"]) { $1 })
    #expect(both.texts == ["daemon unix:/other - -"])
    #expect(found.log + both.log == [])
    let relative = ["DEBUGD_SOCKET": "d.sock"]
    #expect(destinations(relative).texts == ["daemon - - -"])
    let problem = """
      DEBUGD_SOCKET=d.sock is invalid and ignored. To fix, set it to the absolute path of the \
      daemon's socket.
      """
    #expect(destinations(relative).log == [problem])
    #expect(destinations(relative, [.file("/f")]).log == [])
  }

  @Test("memory destinations are not overridden")
  func memory() {
    let (texts, _) = destinations(["DEBUGD": "file:/tmp/x"], [.memory(MemorySink()), .daemon()])
    #expect(texts == ["memory", "file /tmp/x"])
  }

  @Test("off means that nothing is recorded at all")
  func off() {
    let memory = MemorySink()
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment(["DEBUGD": "off"]))
    let machine = recorder.record(Machine(Tally()), as: "tally")
    machine.send(.counted)
    #expect(!recorder.isRecording)
    #expect(recorder.flush() && recorder.close())
    #expect(memory.timelines.isEmpty)
    #expect(machine.state.count == 1)
  }
}
