import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `hosted process|live`: an app that records a machine and runs reducers for the daemon, in a
  /// separate process or inside itself, until its standard input ends.
  ///
  /// Exits with 0 if the machine was not touched.
  static let hosted = Scene(name: "hosted") { arguments in
    if arguments == ["process"] { ReducerHost.runIfAsked(Troubled.self, TroubledForm.self) }
    let recorder = StateRecorder(app: "hosted")
    let machine = recorder.record(Machine(Troubled()), as: "troubled", isolation: nil)
    machine.send(.added(1))
    recorder.flush(within: .seconds(120))
    print("ready")
    fflush(nil)
    while readLine() != nil {}
    recorder.close(within: .seconds(120))
    exit(machine.state.total == 1 && machine.state.notes.isEmpty ? 0 : 1)
  }
}
