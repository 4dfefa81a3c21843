import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization

extension Scene {
  /// `fork PARENT CHILD [onCaller]`: records to a file, forks, and continues in both processes: in
  /// the child first without a recorder, then with one, which `DEBUGD` sends to the other file.
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
    recorder.flush(within: .seconds(120))
    let child = makeChild()
    if child == 0 {
      // This is not recorded; it must neither block nor be written.
      for _ in 0..<3 { machine.send(.add) }
      _ = recorder.flush(within: .seconds(1))
      setenv("DEBUGD", "file:\(arguments[1])", 1)
      let own = recorder.resumeAfterFork()
      record(own)
      for _ in 0..<2 { machine.send(.add) }
      own.close(within: .seconds(120))
      exit(0)
    }
    machine.send(.add)
    var status: Int32 = -1
    waitpid(child, &status, 0)
    recorder.close(within: .seconds(120))
    print("child \(status)")
  }

  /// `forks COUNT`: forks while other threads use the crash watch, and uses it in each child;
  /// prints how many children succeeded.
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
        // A child that waits for a lock that is never released is ended by the system.
        alarm(120)
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

  /// `forkedLock COUNT`: forks, and lets the forking thread and a new one contend for a mutex in
  /// the child; prints how the child ended and how often the mutex was locked.
  static let forkedLock = Scene(name: "forkedLock") { arguments in
    guard arguments.count == 1, let count = Int(arguments[0]) else { exit(64) }
    let shared = SharedCount()
    shared.value.withLock { $0 += 0 }
    let child = makeChild()
    if child == 0 {
      alarm(120)
      Thread.detachNewThread {
        for _ in 0..<count { shared.value.withLock { $0 += 1 } }
        shared.isOver.store(true, ordering: .releasing)
      }
      for _ in 0..<count { shared.value.withLock { $0 += 1 } }
      while !shared.isOver.load(ordering: .acquiring) { sched_yield() }
      _exit(shared.value.withLock { $0 } == 2 * count ? 0 : 1)
    }
    var status: Int32 = -1
    waitpid(child, &status, 0)
    print("ended with \(status)")
    exit(0)
  }

  /// `forkedEncoding COUNT FOLDER`: forks while other threads encode, and records in each child,
  /// where states are encoded on the caller's thread; prints how many children recorded theirs.
  static let forkedEncoding = Scene(name: "forkedEncoding") { arguments in
    guard arguments.count == 2, let count = Int(arguments[0]) else { exit(64) }
    let recorder = StateRecorder(app: "probe", options: options("\(arguments[1])/parent.timeline"))
    let machine = Machine(Fragile())
    recorder.record(machine, as: "fragile", encoded: .onCaller)
    machine.send(.add)
    recorder.flush(within: .seconds(120))
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
        // As above, on a busy machine.
        alarm(240)
        setenv("DEBUGD", "file:\(arguments[1])/\(number).timeline", 1)
        let own = recorder.resumeAfterFork()
        own.record(machine, as: "fragile", encoded: .onCaller)
        machine.send(.add)
        guard own.flush(within: .seconds(120)) else { _exit(2) }
        _exit(own.statistics.recorded == 2 ? 0 : 3)
      }
      var status: Int32 = -1
      waitpid(child, &status, 0)
      if status == 0 { recorded += 1 } else { print("child \(number) ended with \(status)") }
    }
    print("recorded \(recorded)")
    exit(0)
  }

  /// `fork()`, which the compiler hides because few programs can use it rightly.
  static func makeChild() -> Int32 {
    guard let symbol = dlsym(nil, "fork") else { exit(70) }
    // Safe: this is the C function's type.
    return unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)()
  }
}

private final class SharedCount: Sendable {
  let value = ForkSafeMutex(0)
  let isOver = Atomic(false)
}
