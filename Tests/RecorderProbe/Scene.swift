import Foundation

/// A program of the probe: its name, and what it does.
struct Scene: Sendable {
  let name: String
  let play: @Sendable ([String]) -> Void

  /// All scenes. A new one is a file next to this one, and a line here.
  static let all: [Scene] = [
    .greet, .host, .ownHost, .flood, .trap, .secrets, .survived, .killed, .forked, .fullDisk,
    .fewDescriptors, .crowd,
    .truth, .sizes,
    .control, .hosted, .paced, .forkedWatching, .forkedEncoding, .forkedLock, .overload, .leave,
    .unreadLog,
    .fullSpill, .awaitedSignal, .stuck, .soak, .parting, .takeover,
  ]

  static func named(_ name: String) -> Scene? { all.first { $0.name == name } }

  static func exit(_ code: Int32) -> Never { Foundation.exit(code) }
}

extension Scene {
  /// Prints that it runs, which a test can wait for.
  static let greet = Scene(name: "greet") { _ in print("hello") }
}

extension Scene {
  /// Sleeps, like an app between the actions of its user.
  static func pause(microseconds: Int) {
    guard microseconds > 0 else { return }
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(microseconds))
  }

  /// Sleeps while the main queue continues.
  @MainActor
  static func rest(milliseconds: Int) async {
    await withCheckedContinuation { rested in
      DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        rested.resume()
      }
    }
  }
}
