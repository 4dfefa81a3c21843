import Foundation

/// One thing that the probe does: a name, and what is played under it.
struct Scene: Sendable {
  let name: String
  let play: @Sendable ([String]) -> Void

  /// All of them; a new one is a file beside this one and a line here.
  static let all: [Scene] = [
    .greet, .host, .ownHost, .flood, .trap, .secrets, .survived, .killed, .forked, .fullDisk,
    .truth, .sizes,
    .control, .hosted, .paced, .forkedWatching, .forkedEncoding, .forkedLock, .overload, .leave,
    .unreadLog,
    .fullSpill, .awaitedSignal, .stuck, .soak,
  ]

  static func named(_ name: String) -> Scene? { all.first { $0.name == name } }

  static func exit(_ code: Int32) -> Never { Foundation.exit(code) }
}

extension Scene {
  /// Says that it runs: what a test that starts it can wait for.
  static let greet = Scene(name: "greet") { _ in print("hello") }
}

extension Scene {
  /// Lets time go by, as an app does between what its user does.
  static func pause(microseconds: Int) {
    guard microseconds > 0 else { return }
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(microseconds))
  }

  /// Lets time go by while the main queue does other things.
  @MainActor
  static func rest(milliseconds: Int) async {
    await withCheckedContinuation { rested in
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        rested.resume()
      }
    }
  }
}
