import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `paced COUNT PERSECOND`: sends events at a constant rate, each with the wall-clock time as its
  /// payload; `DEBUGD` sets where to record.
  ///
  /// Prints when it begins, and how many events were lost once all are stored. It begins when it
  /// receives a line, so that inspectors can connect first.
  static let paced = Scene(name: "paced") { arguments in
    guard arguments.count == 2, let count = Int(arguments[0]), let rate = Double(arguments[1]),
      rate > 0
    else { exit(64) }
    let recorder = StateRecorder(app: "paced")
    let machine = recorder.record(Machine(Clock()), as: "clock")
    printLine("ready \(recorder.flush(within: .seconds(120)))")
    _ = readLine()
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0..<count {
      let due = start + .seconds(Double(number) / rate)
      while clock.now < due { pause(microseconds: 200) }
      machine.send(.ticked(at: Int64(Date().timeIntervalSince1970 * 1e6)))
    }
    let took = Double((clock.now - start) / .milliseconds(1))
    let isStored = recorder.flush(within: .seconds(120))
    let counts = recorder.statistics
    recorder.close(within: .seconds(120))
    printLine(
      "played \(Int(took)) stored \(isStored) thinned \(counts.thinned) lost \(counts.lost)")
  }
}

/// Stores the time of its last event.
private struct Clock: Reducible, Codable {
  var ticks = 0
  var at: Int64 = 0

  enum Event: Codable {
    case ticked(at: Int64)
  }

  static func reduce(state: Clock, event: Event) -> Clock {
    switch event {
    case .ticked(let at): Clock(ticks: state.ticks + 1, at: at)
    }
  }
}
