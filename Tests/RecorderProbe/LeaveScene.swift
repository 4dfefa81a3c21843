import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `leave PLACE [RECORDERS]`: records a hundred events to a file, or to the daemon at a place, with one
  /// recorder or several, and simply ends.
  static let leave = Scene(name: "leave") { arguments in
    guard let place = arguments.first else { exit(64) }
    let count = arguments.dropFirst().first.flatMap { Int($0) } ?? 1
    let recorders = (0..<count).map { _ in
      StateRecorder(app: "probe", options: options(place))
    }
    let machines = recorders.map { $0.record(Machine(Fragile()), as: "fragile") }
    for machine in machines {
      for _ in 0..<100 { machine.send(.add) }
    }
    exit(0)
  }
}
