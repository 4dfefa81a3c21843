import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `unreadLog WHERE`: logs to a closed stderr, on the recorder's thread, on the app's own
  /// (`here`), or while the app keeps such a signal pending (`pending`).
  static let unreadLog = Scene(name: "unreadLog") { arguments in
    resetSignals()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { exit(70) }
    dup2(ends[1], STDERR_FILENO)
    for end in ends { close(end) }
    switch arguments.first {
    case "recorder":
      var options = RecorderOptions()
      options.destinations = [.file("/dev/null/recordings")]
      let recorder = StateRecorder(app: "probe", options: options)
      let machine = recorder.record(Machine(Fragile()), as: "fragile")
      machine.send(.add)
      recorder.close(within: .seconds(120))
      print("logged \(recorder.statistics.lastError != nil)")
    case "here":
      RecorderOptions().log("something")
      print("logged \(!isPipeSignalPending)")
    case "pending":
      block(SIGPIPE)
      RecorderOptions().log("something")
      let isSet = isPipeSignalPending
      raise(SIGPIPE)
      RecorderOptions().log("something")
      print("logged \(!isSet && isPipeSignalPending)")
    default: exit(64)
    }
  }

  /// `fullSpill PATH`: writes beyond the file size limit, and prints the spill file's error.
  static let fullSpill = Scene(name: "fullSpill") { arguments in
    resetSignals()
    let file = SpillFile(path: arguments.first ?? "")
    limitFiles(to: 1_000)
    let inside = file.write([1], at: SpillPlace(id: 1, offset: 0, length: 1))
    let beyond = file.write([1], at: SpillPlace(id: 2, offset: 1_000, length: 1))
    print("inside \(inside ?? "written"), beyond \(beyond ?? "written")")
  }

  /// `awaitedSignal PLACE`: records, and then waits for a signal like a program that handles it on
  /// a dedicated thread; prints the signal.
  static let awaitedSignal = Scene(name: "awaitedSignal") { arguments in
    resetSignals()
    let recorder = StateRecorder(app: "probe", options: options(arguments.first ?? ""))
    let machine = recorder.record(Machine(Fragile()), as: "fragile")
    machine.send(.add)
    block(SIGTERM)
    // No thread waits for it yet: a thread that does not block it would receive it.
    kill(getpid(), SIGTERM)
    var (signals, signal) = (sigset_t(), Int32(0))
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    sigwait(&signals, &signal)
    machine.send(.add)
    print("received \(signal == SIGTERM)")
    recorder.close(within: .zero)
  }

  /// Resets the signal dispositions that were inherited.
  static func resetSignals() {
    for number in [SIGPIPE, SIGXFSZ, SIGTERM] { signal(number, SIG_DFL) }
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
  }

  private static func block(_ signal: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private static var isPipeSignalPending: Bool {
    var signals = sigset_t()
    sigpending(&signals)
    return sigismember(&signals, SIGPIPE) == 1
  }
}
