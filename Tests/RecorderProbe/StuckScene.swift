import Dispatch
import Foundation
import Recorder
import StatesCore

/// A counter whose encoding never ends from some value on.
private struct Stuck: Reducible, Codable {
  var count = 0
  enum Event: String, Codable { case add }

  static func reduce(state: Stuck, event: Event) -> Stuck { Stuck(count: state.count + 1) }

  init(count: Int = 0) { self.count = count }

  func encode(to encoder: any Encoder) throws {
    if count >= 5 { DispatchSemaphore(value: 0).wait() }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(count, forKey: .count)
  }
}

extension Scene {
  /// `stuck PLACE EVENTS END`: records events of which few can be written, and ends: by `close`, by
  /// `exit` on another thread, or with its standard error stream `unread`.
  static let stuck = Scene(name: "stuck") { arguments in
    guard arguments.count == 3, let count = Int(arguments[1]) else { exit(64) }
    var options = options(arguments[0])
    options.exitTimeout = .milliseconds(50)
    let recorder = StateRecorder(app: "probe", options: options)
    let machine = recorder.record(Machine(Stuck()), as: "stuck")
    for _ in 0..<count { machine.send(.add) }
    // The writing thread may start late on a busy machine.
    while !FileManager.default.fileExists(atPath: arguments[0]) { sched_yield() }
    switch arguments[2] {
    case "close":
      guard !recorder.close(within: .milliseconds(50)), recorder.statistics.unwritten > 0 else {
        exit(65)
      }
    case "unread":
      close(2)
    case "thread":
      Thread.detachNewThread { exit(0) }
      DispatchSemaphore(value: 0).wait()
    default: exit(64)
    }
    exit(0)
  }
}
