import Foundation
import JSONCore
import Recorder
import StatesCore
import Synchronization

/// A typical state of an app, with a pure reducer.
struct MeasuredCart: Reducible, Codable, Sendable {
  struct Line: Codable, Sendable {
    var name: String
    var count: Int
  }

  enum Event: Codable, Sendable {
    case toggled
    case added(Int)
  }

  private var lines: [Line]
  private var note = "please deliver in the morning, and ring twice"
  private var isLoading = false
  private(set) var total = 0

  init(lines count: Int) {
    lines = (0..<count).map { Line(name: "a product with a long name, number \($0)", count: $0) }
  }

  /// Not inlined, so that the optimizer cannot remove a loop of sends.
  @inline(never)
  static func reduce(state: MeasuredCart, event: Event) -> MeasuredCart {
    var result = state
    switch event {
    case .toggled: result.isLoading.toggle()
    case .added(let count): result.total &+= count
    }
    return result
  }
}

/// The minimum cost of recording: copies both values, and pushes them under a mutex for a consumer.
final class RecordingFloor: Sendable {
  typealias Pair = (before: MeasuredCart, after: MeasuredCart)

  private let pairs = Mutex<[Pair]>([])
  private let isDone = Atomic<Bool>(false)

  init() {
    let thread = Thread { [self] in
      var storage: [Pair] = []
      while !isDone.load(ordering: .relaxed) {
        pairs.withLock { swap(&$0, &storage) }
        storage.removeAll(keepingCapacity: true)
        usleep(2_000)
      }
    }
    thread.start()
  }

  func stop() { isDone.store(true, ordering: .relaxed) }

  @inline(never)
  func push(_ before: MeasuredCart, _ after: MeasuredCart) {
    pairs.withLock { $0.append((before, after)) }
  }
}

/// The cost that recording adds to a send, relative to the minimum.
///
/// Rounds are short bursts with pauses, like those of apps. The recorder's thread writes between
/// bursts. The thread's clock measures only the sender.
struct RecordedSends {
  private let measure: Measure

  /// Fewer than the limit of waiting steps with states, so that every step is captured in full.
  static let burst = 2_000

  init(_ measure: Measure) {
    self.measure = measure
  }

  func measure(into values: inout [String: Double]) throws {
    let recorder = measuredRecorder()
    let plain = Machine(MeasuredCart(lines: 20))
    let recorded = recorder.record(Machine(MeasuredCart(lines: 20)), as: "cart")
    let floor = RecordingFloor()
    defer { floor.stop() }
    guard let null = fopen("/dev/null", "w") else { throw BenchmarkError("cannot open /dev/null") }
    defer { fclose(null) }
    var (bare, with, pushed, printed): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    for _ in 0..<measure.rounds {
      bare.append(time { plain.send(.added($0)) })
      with.append(time { recorded.send(.added($0)) })
      recorder.flush(within: .seconds(10))
      let state = plain.state
      pushed.append(time { _ in floor.push(state, state) })
      printed.append(
        time {
          fputs("event: \(MeasuredCart.Event.added($0)), state: \(plain.state.total)\n", null)
        })
      usleep(5_000)
    }
    guard recorder.statistics.recorded > measure.rounds, recorder.statistics.thinned == 0 else {
      throw BenchmarkError("not every send was captured: \(recorder.statistics)")
    }
    let added = Measure.median(with) - Measure.median(bare)
    values["record.floor_ns"] = Measure.median(pushed)
    values["record.send_added_ns"] = added
    values["record.send_vs_floor"] = added / Measure.median(pushed)
    values["record.vs_print"] = added / Measure.median(printed)
  }

  /// The nanoseconds of one call in a burst.
  private func time(_ body: (Int) -> Void) -> Double {
    measure.time { for number in 0..<Self.burst { body(number) } } / Double(Self.burst)
  }
}

/// Measures whether the cost of recording grows with the state.
struct RecordedGrowth {
  private let measure: Measure

  init(_ measure: Measure) {
    self.measure = measure
  }

  func measure(into values: inout [String: Double]) throws {
    let recorder = measuredRecorder()
    var added: [Double] = []
    // A line has about 55 bytes as JSON.
    for lines in [1, 19_000] {
      let plain = Machine(MeasuredCart(lines: lines))
      let recorded = recorder.record(Machine(MeasuredCart(lines: lines)), as: "cart of \(lines)")
      recorder.flush(within: .seconds(10))
      var (bare, with): ([Double], [Double]) = ([], [])
      for _ in 0..<measure.rounds {
        bare.append(time { plain.send(.added($0)) })
        with.append(time { recorded.send(.added($0)) })
        recorder.flush(within: .seconds(10))
      }
      added.append(Measure.median(with) - Measure.median(bare))
    }
    values["record.send_growth"] = added[1] / added[0]
  }

  private func time(_ body: (Int) -> Void) -> Double {
    measure.time { for number in 0..<RecordedSends.burst { body(number) } }
      / Double(RecordedSends.burst)
  }
}

/// The total cost of an entry.
struct RecordedEntries {
  private let measure: Measure

  private enum Event: Codable, Sendable { case opened(page: Int) }

  init(_ measure: Measure) {
    self.measure = measure
  }

  func measure(into values: inout [String: Double]) throws {
    let folder = NSTemporaryDirectory() + "record-benchmark-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try measureProcessorTime(folder, into: &values)
    values["record.vs_full_encode"] = try throughput(folder)
  }

  /// The processor time of an entry at 1 KB, relative to Foundation's encoder.
  private func measureProcessorTime(
    _ folder: String, into values: inout [String: Double]
  ) throws {
    let states = Self.states(measure.isQuick ? 2_000 : 10_000)
    let foundation = JSONEncoder()
    var (theirs, ours): ([Double], [Double]) = ([], [])
    for round in 0..<(measure.isQuick ? 3 : 7) {
      theirs.append(Self.processTime { for state in states { use(try? foundation.encode(state)) } })
      let recorder = measuredRecorder(.file("\(folder)/small-\(round)"))
      let recording = recorder.wrap(
        { (_: SmallState, event: Event) in
          switch event {
          case .opened(let page): states[page]
          }
        }, as: "screen")
      var state = states[0]
      ours.append(
        Self.processTime {
          for page in states.indices {
            state = recording(state, .opened(page: page))
            if page % 2_000 == 1_999 { recorder.flush(within: .seconds(60)) }
          }
          recorder.close(within: .seconds(60))
        })
      try check(recorder)
    }
    values["record.cpu_vs_jsonencoder"] = Measure.median(ours) / Measure.median(theirs)
    values["record.cpu_us"] = Measure.median(ours) / Double(states.count) / 1e3
  }

  /// Entries per second into files, relative to encoding the states of an app with a list of two
  /// thousand lines (110 KB).
  private func throughput(_ folder: String) throws -> Double {
    let count = measure.isQuick ? 300 : 1_000
    let canonical = CanonicalEncoder()
    var (files, full): ([Double], [Double]) = ([], [])
    for round in 0..<(measure.isQuick ? 3 : 7) {
      let cart = MeasuredCart(lines: 2_000)
      full.append(Self.wallTime { for _ in 0..<count { use(try? canonical.encode(cart)) } })
      let recorder = measuredRecorder(.file("\(folder)/large-\(round)"))
      let machine = recorder.record(Machine(cart), as: "cart")
      files.append(
        Self.wallTime {
          for number in 0..<count {
            machine.send(.added(number))
            if number % 500 == 499 { recorder.flush(within: .seconds(60)) }
          }
          recorder.close(within: .seconds(60))
        })
      try check(recorder)
    }
    return Measure.median(full) / Measure.median(files)
  }

  private func check(_ recorder: StateRecorder) throws {
    let statistics = recorder.statistics
    guard statistics.thinned == 0, statistics.lost == 0 else {
      throw BenchmarkError("not every send was recorded: \(statistics)")
    }
  }

  /// States that each differ slightly from the previous one.
  private static func states(_ count: Int) -> [SmallState] {
    var state = SmallState(seed: 5)
    return (0..<count).map { page in
      state.page = page
      state.isLoading.toggle()
      return state
    }
  }

  /// The processor time of all threads of this process in nanoseconds.
  private static func processTime(_ body: () -> Void) -> Double {
    let start = clock(CLOCK_PROCESS_CPUTIME_ID)
    body()
    return clock(CLOCK_PROCESS_CPUTIME_ID) - start
  }

  private static func wallTime(_ body: () -> Void) -> Double {
    let start = clock(CLOCK_MONOTONIC)
    body()
    return clock(CLOCK_MONOTONIC) - start
  }

  private static func clock(_ id: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(id, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
