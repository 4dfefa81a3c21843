import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `leave PLACE RECORDERS MILLISECONDS`: records a hundred events to a file, or to the daemon at
  /// an address, with RECORDERS recorders, and exits. Each may take MILLISECONDS at exit.
  static let leave = Scene(name: "leave") { arguments in
    guard arguments.count == 3, let count = Int(arguments[1]), let patience = Int(arguments[2])
    else { exit(64) }
    var options = options(arguments[0])
    options.exitTimeout = .milliseconds(patience)
    let recorders = (0..<count).map { _ in StateRecorder(app: "probe", options: options) }
    let machines = recorders.map { $0.record(Machine(Fragile()), as: "fragile") }
    for machine in machines {
      for _ in 0..<100 { machine.send(.add) }
    }
    exit(0)
  }
}
