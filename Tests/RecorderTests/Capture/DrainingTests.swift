import Foundation
import Recorder
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines

/// A state that takes longer to encode than to compute.
private struct Slow: Reducible, Codable, Sendable {
  var count = 0

  enum Event: String, Codable, Sendable { case counted }
  static func reduce(state: Slow, event: Event) -> Slow { Slow(count: state.count + 1) }

  init(count: Int = 0) { self.count = count }

  init(from decoder: any Decoder) throws {
    count = try decoder.singleValueContainer().decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    // Work without an effect that the optimizer cannot remove.
    var sum = count
    for number in 0..<2_000 { sum = (sum ^ number) &* 31 }
    var container = encoder.singleValueContainer()
    try container.encode(sum == 0 ? -1 : count)
  }
}

private final class Stop: Sendable {
  let isAsked = Atomic<Bool>(false)
}

@Suite("Flushing and closing a recorder while other threads keep sending")
struct DrainingTests {
  /// On a separate thread: one that never pauses would starve the test's threads.
  private func withSender(_ body: (StateRecorder) throws -> Void) throws {
    let recording = MemoryRecording { $0.capture.events = 600 }
    let recorder = recording.recorder
    let stop = Stop()
    Thread.detachNewThread {
      let machine = recorder.record(Machine(Slow()), as: "slow", isolation: nil)
      while !stop.isAsked.load(ordering: .relaxed) { machine.send(.counted) }
    }
    defer { stop.isAsked.store(true, ordering: .relaxed) }
    // Once some were lost, the queue is full.
    #expect(eventually { recorder.statistics.lost > 0 })
    try body(recorder)
  }

  @Test("writes what waits now, and does not wait for newer steps")
  func flush() throws {
    try withSender { recorder in
      for _ in 0..<3 { #expect(recorder.flush(within: .seconds(120))) }
      // Its thread does other work, too.
      let other = recorder.record(StateForm(state: 1), as: "other", isolation: nil)
      other.apply { $0 += 1 }
      #expect(recorder.flush(within: .seconds(120)))
      #expect(recorder.statistics.machines == 2)
    }
  }

  @Test("can be closed")
  func close() throws {
    try withSender { recorder in
      #expect(recorder.close(within: .seconds(120)))
    }
  }
}
