import Foundation
import Recorder
import StatesCore
import Synchronization

extension Scene {
  /// `soak FIRST COUNT RATE`: COUNT recorders in one process, each with one machine that receives RATE
  /// events per second; the machines are named `pulse-FIRST` and up. `DEBUGD` says where they record to.
  ///
  /// Standard input controls it: `go` starts the events, `rest` stops them, and its end ends the
  /// program. It prints `ready`, then `resting` and `ended`, each with what was sent and lost.
  static let soak = Scene(name: "soak") { arguments in
    guard arguments.count == 3, let first = Int(arguments[0]), let count = Int(arguments[1]),
      let rate = Double(arguments[2]), count > 0, rate > 0
    else { exit(64) }
    let pulses = (first..<first + count).map(RecordedPulse.init)
    printLine("ready \(pulses.allSatisfy { $0.recorder.flush(within: .seconds(60)) })")
    let commands = InputLines()
    let interval = Duration.seconds(1 / rate)
    let clock = ContinuousClock()
    var beats = 0
    var due: ContinuousClock.Instant?
    while true {
      switch commands.next(before: due) {
      case .line("go"): due = clock.now
      case .line("rest"):
        due = nil
        printLine("resting \(report(pulses, beats))")
      case .line: exit(65)
      case .end:
        for pulse in pulses { pulse.recorder.close(within: .seconds(60)) }
        printLine("ended \(report(pulses, beats))")
        return
      case .timeout:
        beats += 1
        for pulse in pulses { pulse.machine.send(.beat(beats)) }
        // After a stall it continues at its rate; a burst would measure something else.
        due = max(clock.now, (due ?? clock.now) + interval)
      }
    }
  }

  private static func report(_ pulses: [RecordedPulse], _ beats: Int) -> String {
    let isStored = pulses.allSatisfy { $0.recorder.flush(within: .seconds(60)) }
    let counts = pulses.map(\.recorder.statistics)
    let lost = counts.reduce(0) { $0 + $1.lost }
    let thinned = counts.reduce(0) { $0 + $1.thinned }
    return "beats \(beats) stored \(isStored) lost \(lost) thinned \(thinned)"
  }
}

/// A recorder with one machine.
private struct RecordedPulse {
  let recorder: StateRecorder
  let machine: Machine<Pulse>

  init(number: Int) {
    recorder = StateRecorder(app: "soak-\(number)")
    machine = recorder.record(Machine(Pulse()), as: "pulse-\(number)")
  }
}

/// A state whose size does not change: growth of memory is then not the growth of the state.
private struct Pulse: Reducible, Codable {
  var number = 0
  var recent = [Int](repeating: 0, count: 16)

  enum Event: Codable {
    case beat(Int)
  }

  static func reduce(state: Pulse, event: Event) -> Pulse {
    switch event {
    case .beat(let number): Pulse(number: number, recent: state.recent.dropFirst() + [number])
    }
  }
}

/// The lines of standard input, read on a separate thread, so that waiting for one can time out.
final class InputLines: Sendable {
  enum Next {
    case line(String)
    case end
    case timeout
  }

  private let waiting = Mutex<[Next]>([])
  private let arrived = DispatchSemaphore(value: 0)

  init() {
    Thread.detachNewThread { [self] in
      while let line = readLine() { add(.line(line)) }
      add(.end)
    }
  }

  private func add(_ next: Next) {
    waiting.withLock { $0.append(next) }
    arrived.signal()
  }

  /// The next line or the end; `timeout` if none arrived before the deadline.
  func next(before deadline: ContinuousClock.Instant?) -> Next {
    if let deadline {
      let microseconds = max(0, Int((deadline - ContinuousClock.now) / .microseconds(1)))
      guard arrived.wait(timeout: .now() + .microseconds(microseconds)) == .success else {
        return .timeout
      }
    } else {
      arrived.wait()
    }
    return waiting.withLock { $0.removeFirst() }
  }
}
