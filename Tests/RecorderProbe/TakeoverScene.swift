import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `takeover RATE`: one machine that receives RATE events per second; `DEBUGD` says where it records
  /// to.
  ///
  /// Standard input controls it: `count` prints how many entries were acknowledged, `rest` stops the
  /// events and waits until all entries are stored, `go` continues, and the end ends the program.
  static let takeover = Scene(name: "takeover") { arguments in
    guard arguments.count == 1, let rate = Double(arguments[0]), rate > 0 else { exit(64) }
    let recorder = StateRecorder(app: "takeover")
    let machine = recorder.record(Machine(Counter()), as: "counter")
    let commands = InputLines()
    let interval = Duration.seconds(1 / rate)
    let clock = ContinuousClock()
    var due: ContinuousClock.Instant? = clock.now
    var sent = 0
    while true {
      switch commands.next(before: due) {
      case .line("count"): answer("acknowledged \(recorder.statistics.acknowledged)")
      case .line("go"): due = clock.now
      case .line("rest"):
        due = nil
        // A flush gives up when no daemon can be reached at the moment.
        while !recorder.flush(within: .seconds(60)) { pause(microseconds: 10_000) }
        let counts = recorder.statistics
        answer("stored \(sent) lost \(counts.lost) thinned \(counts.thinned)")
      case .line: exit(65)
      case .end:
        recorder.close(within: .seconds(60))
        return
      case .timeout:
        sent += 1
        machine.send(.counted(sent))
        due = max(clock.now, (due ?? clock.now) + interval)
      }
    }
  }

  /// Prints a line at once. To flush all streams would wait for the thread that reads the next command.
  private static func answer(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}

/// Counts its events.
private struct Counter: Reducible, Codable {
  var count = 0

  enum Event: Codable {
    case counted(Int)
  }

  static func reduce(state: Counter, event: Event) -> Counter {
    switch event {
    case .counted(let count): Counter(count: count)
    }
  }
}
