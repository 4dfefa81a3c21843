import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `crowd COUNT`: records that many machines; `DEBUGD` sets where.
  ///
  /// Each line of the input lets some of them handle an event: those whose number is a multiple of
  /// the line's. It prints whether that is stored, and at the end what happened to the entries.
  static let crowd = Scene(name: "crowd") { arguments in
    guard let count = arguments.first.flatMap({ Int($0) }) else { exit(64) }
    var options = RecorderOptions()
    options.allowsControl = true
    let recorder = StateRecorder(app: "Crowd", options: options)
    let machines = (0..<count).map { recorder.record(Machine(Member()), as: "m\($0)") }
    printLine("ready \(recorder.flush(within: .seconds(120)))")
    while let line = readLine() {
      guard let divisor = Int(line), divisor > 0 else { continue }
      for number in stride(from: 0, to: count, by: divisor) { machines[number].send(.counted) }
      // A daemon that is away for a moment is waited for, too.
      while !recorder.flush(within: .seconds(60)) { pause(microseconds: 1_000) }
      printLine("stored")
    }
    let isClosed = recorder.close(within: .seconds(120))
    let counts = recorder.statistics
    printLine(
      """
      closed \(isClosed) recorded \(counts.recorded) acknowledged \(counts.acknowledged) \
      lost \(counts.lost) thinned \(counts.thinned)
      """)
    withExtendedLifetime(machines) {}
  }
}

/// Counts its events.
private struct Member: Reducible, Codable {
  var count = 0

  enum Event: Codable { case counted }

  static func reduce(state: Member, event: Event) -> Member { Member(count: state.count + 1) }
}
