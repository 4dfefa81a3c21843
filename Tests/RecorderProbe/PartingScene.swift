import Dispatch
import Foundation
import Recorder
import StatesCore
import Synchronization

/// A recorder that stays until the end of the process.
private let kept = Mutex<StateRecorder?>(nil)

extension Scene {
  /// `parting PLACE EVENTS END`: sends more events than can be written, and ends: by `return` from
  /// main, also with the recorder `released` before; by `exit`, in the handler of a signal
  /// (`term`), or after the exit of a `fork`ed child; or by a `fatal` signal.
  ///
  /// With a daemon, it ends after some entries were sent.
  static let parting = Scene(name: "parting") { arguments in
    guard arguments.count == 3, let count = Int(arguments[1]) else { exit(64) }
    let recorder = StateRecorder(app: "probe", options: options(arguments[0]))
    let machine = recorder.record(Machine(Fragile()), as: "fragile")
    machine.send(.add)
    if !arguments[0].hasPrefix("/") {
      while recorder.statistics.sent == 0 { sched_yield() }
    }
    for _ in 1..<count { machine.send(.add) }
    switch arguments[2] {
    case "released": return
    case "return": kept.withLock { $0 = recorder }
    case "exit": exit(0)
    case "term":
      signal(SIGTERM, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
      source.setEventHandler { exit(0) }
      source.resume()
      kill(getpid(), SIGTERM)
      DispatchSemaphore(value: 0).wait()
    case "fork":
      let child = makeChild()
      if child == 0 { exit(0) }
      var status: Int32 = -1
      waitpid(child, &status, 0)
      exit(status)
    case "fatal":
      CrashWatch.shared?.wait(forAtMost: 120_000, rescuing: 400)
      abort()
    default: exit(64)
    }
  }
}
