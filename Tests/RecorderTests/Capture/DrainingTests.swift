import Foundation
import Recorder
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines

/// A state that takes longer to write than to make.
private struct Slow: Reducible, Codable, Sendable {
  var count = 0

  enum Event: String, Codable, Sendable { case counted }
  static func reduce(state: Slow, event: Event) -> Slow { Slow(count: state.count + 1) }

  init(count: Int = 0) { self.count = count }

  init(from decoder: any Decoder) throws {
    count = try decoder.singleValueContainer().decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    // Work that nobody sees, and the optimiser does not know that.
    var sum = count
    for number in 0..<2_000 { sum = (sum ^ number) &* 31 }
    var container = encoder.singleValueContainer()
    try container.encode(sum == 0 ? -1 : count)
  }
}

private final class Stop: Sendable {
  let isAsked = Atomic<Bool>(false)
}

@Suite("A recorder that is asked while others send on and on")
struct DrainingTests {
  /// Beside a thread of its own: one that never rests would keep the test's threads from others.
  private func withSender(_ body: (StateRecorder) throws -> Void) throws {
    let recording = MemoryRecording { $0.capture.events = 600 }
    let recorder = recording.recorder
    let stop = Stop()
    Thread.detachNewThread {
      let machine = recorder.record(Machine(Slow()), as: "slow", isolation: nil)
      while !stop.isAsked.load(ordering: .relaxed) { machine.send(.counted) }
    }
    defer { stop.isAsked.store(true, ordering: .relaxed) }
    // From when some were lost on, as much waits as there is room for.
    #expect(eventually { recorder.statistics.lost > 0 })
    try body(recorder)
  }

  @Test("has what waited written, and does not wait for what comes meanwhile")
  func flush() throws {
    try withSender { recorder in
      for _ in 0..<3 { #expect(recorder.flush(within: .seconds(120))) }
      // Its thread goes on with other things, too.
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
