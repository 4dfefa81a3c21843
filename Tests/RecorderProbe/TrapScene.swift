import Dispatch
import Foundation
import Recorder
import StatesCore
import Synchronization

extension Scene {
  /// `trap HOW PLACE [KIND]`: records a counter to a file, or to the daemon at an address, and
  /// crashes in its reducer. Kinds: a machine by default, `onCaller`, `function`, `inPlace`,
  /// `composable`, `feedback`; `denied` is a machine whose filter excludes the last event, `first`
  /// a function that crashes in its first call, `busy` a machine next to one that receives events
  /// without end, `crowd` a machine next to another recorder whose thread is stuck, while its own
  /// is working.
  static let trap = Scene(name: "trap") { arguments in
    guard (2...3).contains(arguments.count), let way = Way(rawValue: arguments[0]) else { exit(64) }
    let kind = arguments.count == 3 ? arguments[2] : "machine"
    var options = options(arguments[1])
    if kind == "denied" { options.events = EventFilter(deny: ["die"]) }
    let other = kind == "crowd" ? stuckRecorder(beside: arguments[1]) : nil
    if way == .blockedAbort { block(SIGABRT) }
    let recorder = StateRecorder(app: "probe", options: options)
    let send = sender(of: kind, recorder)
    // The recorder must have written entry 0 and be connected when the program crashes.
    recorder.flush(within: .seconds(120))
    if kind == "busy" { sendOnAndOn(recorder) }
    // A recorder with a stuck thread uses all of the time.
    CrashWatch.shared?.wait(forAtMost: kind == "crowd" ? 8_000 : 60_000)
    if kind != "first" { for _ in 0..<5 { send(.add) } }
    if kind == "crowd" { beginWriting(for: 60, recorder) }
    send(.die(way))
    print("still alive")
    _ = (recorder, other)
  }

  /// Blocks a signal on this thread, as a parent may have.
  private static func block(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// An older recorder whose thread never finishes encoding a state.
  private static func stuckRecorder(beside path: String) -> StateRecorder {
    let recorder = StateRecorder(app: "other", options: options("\(path).other"))
    beginWriting(for: 3_600_000, recorder)
    return recorder
  }

  /// Makes a recorder's thread start with a state that takes that long.
  private static func beginWriting(for milliseconds: Int, _ recorder: StateRecorder) {
    Lengthy.isBeingWritten.store(false, ordering: .relaxed)
    let machine = recorder.record(Machine(Lengthy(milliseconds: milliseconds)), as: "lengthy")
    let end = ContinuousClock.now + .seconds(120)
    while !Lengthy.isBeingWritten.load(ordering: .relaxed), ContinuousClock.now < end {
      sched_yield()
    }
    _ = machine
  }

  /// Sends faster than it can be written.
  private static func sendOnAndOn(_ recorder: StateRecorder) {
    Thread.detachNewThread {
      let machine = recorder.record(Machine(Laborious()), as: "laborious", isolation: nil)
      while true { machine.send(.add) }
    }
    let end = ContinuousClock.now + .seconds(120)
    while recorder.statistics.recorded < 20, ContinuousClock.now < end { sched_yield() }
  }

  /// Makes a counter of a kind, and returns what sends it events.
  static func sender(
    of kind: String, _ recorder: StateRecorder
  ) -> (Fragile.Event) -> Void {
    var state = Fragile()
    switch kind {
    case "machine", "denied", "busy", "crowd":
      let machine = recorder.record(Machine(Fragile()), as: "fragile")
      return { machine.send($0) }
    case "onCaller":
      let machine = recorder.record(Machine(Fragile()), as: "fragile", encoded: .onCaller)
      return { machine.send($0) }
    case "function", "first":
      let reduce = recorder.wrap(Fragile.reduce, as: "fragile")
      return { state = reduce(state, $0) }
    case "inPlace":
      let reduce = recorder.wrap(
        inPlace: { (state: inout Fragile, event: Fragile.Event) in
          state = Fragile.reduce(state: state, event: event)
        }, as: "fragile")
      return { reduce(&state, $0) }
    case "composable":
      let reduce = recorder.wrap(
        into: { (state: inout Fragile, event: Fragile.Event) -> String in
          state = Fragile.reduce(state: state, event: event)
          return "effect"
        }, as: "fragile")
      return { _ = reduce(&state, $0) }
    case "feedback":
      let run = recorder.record(
        FeedbackSystem(initialState: Fragile(), reduce: Fragile.reduce, feedback: []), as: "fragile"
      ).makeRun()
      Task.detached { for try await _ in run {} }
      return { event in
        run.send(event)
        // The run's task crashes, not this thread.
        if case .die = event { DispatchSemaphore(value: 0).wait() }
      }
    default: exit(64)
    }
  }

  /// `killed PATH`: records to a file until it is killed, and prints how far it got.
  static let killed = Scene(name: "killed") { arguments in
    guard let path = arguments.first else { exit(64) }
    let recorder = StateRecorder(app: "probe", options: options(path))
    let machine = recorder.record(Machine(Fragile()), as: "fragile")
    while true {
      for _ in 0..<100 { machine.send(.add) }
      recorder.flush()
      print(machine.state.count)
      fflush(nil)
    }
  }

  static func options(_ place: String) -> RecorderOptions {
    var options = RecorderOptions()
    if place.hasPrefix("/") {
      options.destinations = [.file(place)]
    } else if place != "daemon" {
      options.destinations = [.daemon(DaemonDestination(address: place))]
    }
    return options
  }
}

/// A counter that takes longer to write than to make.
private struct Laborious: Reducible, Encodable {
  var count = 0
  enum Event: String, Codable { case add }
  static func reduce(state: Laborious, event: Event) -> Laborious {
    Laborious(count: state.count + 1)
  }
  func encode(to encoder: any Encoder) throws {
    // Work without an effect that the optimizer cannot remove.
    var sum = count
    for number in 0..<2_000 { sum = (sum ^ number) &* 31 }
    try (sum == 0 ? -1 : count).encode(to: encoder)
  }
}

/// A state that is slow to encode.
private struct Lengthy: Reducible, Encodable {
  static let isBeingWritten = Atomic(false)
  var milliseconds: Int
  enum Event: String, Codable { case add }
  static func reduce(state: Lengthy, event: Event) -> Lengthy { state }
  func encode(to encoder: any Encoder) throws {
    Self.isBeingWritten.store(true, ordering: .relaxed)
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(milliseconds))
    try milliseconds.encode(to: encoder)
  }
}

/// Ways to crash.
enum Way: String, Codable, Sendable {
  case fatal, index, none, division, abort, blockedAbort, wild, stack, breakpoint
}

/// A counter whose reducer can crash.
struct Fragile: Reducible, Codable {
  var count = 0

  enum Event: Codable {
    case add
    case die(Way)
  }

  static func reduce(state: Fragile, event: Event) -> Fragile {
    var next = state
    switch event {
    case .add: next.count += 1
    case .die(let way): next.count += die(way, state.count)
    }
    return next
  }

  /// Crashes; using the count keeps the optimizer from noticing.
  private static func die(_ way: Way, _ count: Int) -> Int {
    switch way {
    case .fatal: preconditionFailure("as asked")
    case .index: return [1, 2, 3][count]
    case .none:
      let numbers: [Int] = []
      return numbers.max { $0 < $1 }! + count
    case .division: return 1 / (count - 5)
    case .abort: abort()
    case .blockedAbort:
      raise(SIGABRT)
      return 0
    case .wild:
      raise(SIGSEGV)
      return 0
    case .breakpoint:
      raise(SIGTRAP)
      return 0
    case .stack: return deeper(count) + 1
    }
  }

  private static func deeper(_ count: Int) -> Int {
    count == .min ? 0 : deeper(count &+ 1) &+ deeper(count &+ 2)
  }
}
