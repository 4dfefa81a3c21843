import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `fork PARENT CHILD`: records to a file, forks, and goes on on both sides; the child first
  /// without its recorder, then with one, which `DEBUGD` sends to the other file.
  static let forked = Scene(name: "fork") { arguments in
    guard arguments.count == 2 else { exit(64) }
    let recorder = StateRecorder(app: "probe", options: options(arguments[0]))
    let machine = recorder.record(Machine(Fragile()), as: "fragile")
    for _ in 0..<3 { machine.send(.add) }
    recorder.flush(within: .seconds(20))
    let child = makeChild()
    if child == 0 {
      // Nobody takes this; it must neither block nor be written.
      for _ in 0..<3 { machine.send(.add) }
      _ = recorder.flush(within: .seconds(1))
      setenv("DEBUGD", "file:\(arguments[1])", 1)
      let own = recorder.resumeAfterFork()
      let again = own.record(machine, as: "fragile")
      for _ in 0..<2 { again.send(.add) }
      own.close(within: .seconds(20))
      exit(0)
    }
    machine.send(.add)
    var status: Int32 = -1
    waitpid(child, &status, 0)
    recorder.close(within: .seconds(20))
    print("child \(status)")
  }

  /// `fork()`, which the compiler hides because few programs can use it rightly.
  private static func makeChild() -> Int32 {
    guard let symbol = dlsym(nil, "fork") else { exit(70) }
    // Safe: that is the C function's type.
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)()
  }
}
