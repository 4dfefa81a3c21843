import Foundation
import JSONCore
import Recorder
import StatesCore

extension Scene {
  /// `fork PARENT CHILD [onCaller]`: records to a file, forks, and goes on on both sides; the child
  /// first without its recorder, then with one, which `DEBUGD` sends to the other file.
  static let forked = Scene(name: "fork") { arguments in
    guard (2...3).contains(arguments.count) else { exit(64) }
    let recorder = StateRecorder(app: "probe", options: options(arguments[0]))
    let machine = Machine(Fragile())
    let record = { (recorder: StateRecorder) in
      _ =
        arguments.count == 3
        ? recorder.record(machine, as: "fragile", encoded: .onCaller)
        : recorder.record(machine, as: "fragile")
    }
    record(recorder)
    for _ in 0..<3 { machine.send(.add) }
    recorder.flush(within: .seconds(20))
    let child = makeChild()
    if child == 0 {
      // Nobody takes this; it must neither block nor be written.
      for _ in 0..<3 { machine.send(.add) }
      _ = recorder.flush(within: .seconds(1))
      setenv("DEBUGD", "file:\(arguments[1])", 1)
      let own = recorder.resumeAfterFork()
      record(own)
      for _ in 0..<2 { machine.send(.add) }
      own.close(within: .seconds(20))
      exit(0)
    }
    machine.send(.add)
    var status: Int32 = -1
    waitpid(child, &status, 0)
    recorder.close(within: .seconds(20))
    print("child \(status)")
  }

  /// `forks COUNT`: forks while other threads ask for the watch for the program's death, and asks for
  /// it in each child; says how many children got an answer.
  static let forkedWatching = Scene(name: "forks") { arguments in
    guard let count = arguments.first.flatMap({ Int($0) }) else { exit(64) }
    ForkWatch.install()
    _ = CrashWatch.shared
    for _ in 0..<2 {
      Thread.detachNewThread {
        while true { _ = (CrashWatch.shared, LiveRecorders.all) }
      }
    }
    var answered = 0
    for _ in 0..<count {
      let child = makeChild()
      if child == 0 {
        // A child that waits for a lock which nobody will ever release is ended by the system.
        alarm(10)
        let watch = CrashWatch.shared
        _exit(watch != nil && LiveRecorders.all.isEmpty ? 0 : 1)
      }
      var status: Int32 = -1
      waitpid(child, &status, 0)
      if status == 0 { answered += 1 }
    }
    print("answered \(answered)")
    exit(0)
  }

  /// `forkedEncoding COUNT FOLDER`: forks while other threads encode, and records in each child, where
  /// states are encoded on the caller's thread; says how many children recorded theirs.
  static let forkedEncoding = Scene(name: "forkedEncoding") { arguments in
    guard arguments.count == 2, let count = Int(arguments[0]) else { exit(64) }
    let recorder = StateRecorder(app: "probe", options: options("\(arguments[1])/parent.timeline"))
    let machine = Machine(Fragile())
    recorder.record(machine, as: "fragile", encoded: .onCaller)
    machine.send(.add)
    recorder.flush(within: .seconds(20))
    for _ in 0..<2 {
      Thread.detachNewThread {
        let encoder = CanonicalEncoder()
        while true { _ = try? encoder.encode(Fragile()) }
      }
    }
    var recorded = 0
    for number in 0..<count {
      let child = makeChild()
      if child == 0 {
        // As above, on a machine that does much else.
        alarm(60)
        setenv("DEBUGD", "file:\(arguments[1])/\(number).timeline", 1)
        let own = recorder.resumeAfterFork()
        own.record(machine, as: "fragile", encoded: .onCaller)
        machine.send(.add)
        _exit(own.flush(within: .seconds(50)) && own.statistics.recorded == 2 ? 0 : 1)
      }
      var status: Int32 = -1
      waitpid(child, &status, 0)
      if status == 0 { recorded += 1 }
    }
    print("recorded \(recorded)")
    exit(0)
  }

  /// `fork()`, which the compiler hides because few programs can use it rightly.
  private static func makeChild() -> Int32 {
    guard let symbol = dlsym(nil, "fork") else { exit(70) }
    // Safe: that is the C function's type.
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)()
  }
}
