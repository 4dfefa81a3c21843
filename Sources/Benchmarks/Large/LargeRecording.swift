import Foundation
import JSONCore
import Recorder

/// Records events that each change one number of a large state, into a file.
struct LargeRecording {
  let megabytes: Int
  let steps: Int
  let file: String

  static let metrics = ["10mb", "100mb"].flatMap { size in
    [
      Metric(
        "large.entry_vs_copy_\(size)",
        "times the processor time of copying the state once: an entry with one change"),
      Metric("large.entry_ms_\(size)", "milliseconds of processor time of such an entry"),
      Metric(
        "large.recorder_vs_state_\(size)",
        "times the bytes of the encoded state: peak memory that recording adds"),
      Metric("large.recorder_mb_\(size)", "megabytes of that"),
    ]
  }

  private enum Event: Codable, Sendable {
    case counted(at: Int)
  }

  /// An item has about 110 bytes as JSON.
  private static let bytesOfItem = 110

  func measure(named name: String) throws -> [String: Double] {
    let state = LargeState(seed: 7, count: megabytes * 1_000_000 / Self.bytesOfItem)
    let bytes = try CanonicalEncoder().encode(state).count
    let copy = time(steps) { _ in use(state.unshared) }
    let bare = changes(of: state) { state, event in Self.reduce(state, event) }
    let before = try PeakMemory.reset()
    let recorder = try recorder()
    let reducer = recorder.wrap(
      { (state: LargeState, event: Event) in
        Self.reduce(state, event)
      }, as: "inventory")
    let recorded = changes(of: state) { state, event in
      let next = reducer(state, event)
      recorder.flush(within: .seconds(60))
      return next
    }
    recorder.close(within: .seconds(60))
    let added = try PeakMemory.megabytes() - before
    guard recorder.statistics.recorded >= steps, recorder.statistics.lost == 0 else {
      throw BenchmarkError("not every event was recorded: \(recorder.statistics)")
    }
    return [
      "large.entry_vs_copy_\(name)": (recorded - bare) / copy,
      "large.entry_ms_\(name)": (recorded - bare) * 1e3,
      "large.recorder_vs_state_\(name)": added * 1_048_576 / Double(bytes),
      "large.recorder_mb_\(name)": added,
    ]
  }

  private func recorder() throws -> StateRecorder {
    var options = RecorderOptions()
    options.log = { _ in }
    options.destinations = [.file(file)]
    // The states are recorded in full, although a daemon takes no lines of this length.
    options.capture.lineBytes = 1 << 30
    options.capture.bytes = 1 << 30
    return StateRecorder(
      app: "Benchmarks", options: options, environment: RecorderEnvironment([:]))
  }

  private static func reduce(_ state: LargeState, _ event: Event) -> LargeState {
    switch event {
    case .counted(let index): state.changed(at: index)
    }
  }

  /// The processor seconds of an event. The first one, whose entry is a keyframe, is not measured.
  private func changes(
    of first: LargeState, _ reduce: (LargeState, Event) -> LargeState
  ) -> Double {
    var state = reduce(first, .counted(at: 0))
    return time(steps) { step in
      state = reduce(state, .counted(at: step &* 7_919 % state.items.count))
    }
  }

  /// The processor seconds of one call, of all threads.
  private func time(_ count: Int, _ body: (Int) -> Void) -> Double {
    let start = ProcessorClock.seconds()
    for step in 0..<count { body(step) }
    return (ProcessorClock.seconds() - start) / Double(count)
  }
}

/// The most memory that this process had resident.
enum PeakMemory {
  /// Sets it to the memory that is resident now, and returns that in megabytes.
  static func reset() throws -> Double {
    // The kernel's documentation of /proc: 5 resets the peak.
    try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    return try megabytes()
  }

  static func megabytes() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { throw BenchmarkError("the system does not report the memory of this process") }
    return kilobytes / 1_024
  }
}
