import Foundation
import Synchronization

/// The folders that are removed when a signal ends the program.
enum SignalCleanup {
  private struct State {
    var isInstalled = false
    /// Whether work that cleans up by itself began before, and receives the signals.
    var isOwned = false
    var folders: Set<String> = []
    /// The work that a first signal only cancels, because it cleans up by itself.
    var work: AsyncStream<Int32>.Continuation?
  }

  private static let state = Mutex(State())
  private static let numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP]

  /// Removes a folder at a signal, too, until ``forget(_:)``.
  static func add(_ folder: String) async {
    let isFirst = state.withLock { state in
      state.folders.insert(folder)
      guard !state.isInstalled, !state.isOwned else { return false }
      state.isInstalled = true
      return true
    }
    guard isFirst else { return }
    let signals = await SignalStream(numbers)
    Task.detached {
      for await number in signals.numbers { end(by: number) }
    }
  }

  static func forget(_ folder: String) {
    state.withLock { _ = $0.folders.remove(folder) }
  }

  /// The signals for work that cleans up by itself, until ``resume()``. One source serves all: of two
  /// sources of a signal, only one receives it.
  ///
  /// - Returns: `nil` if no folder is lent; the work receives the signals by itself then.
  static func lend() -> AsyncStream<Int32>? {
    state.withLock { state in
      guard state.isInstalled else {
        state.isOwned = true
        return nil
      }
      let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
      state.work = continuation
      return stream
    }
  }

  /// Such work ended without a signal.
  static func resume() {
    state.withLock { ($0.work, $0.isOwned) = (nil, false) }
  }

  private static func end(by number: Int32) {
    let (work, folders) = state.withLock { state in
      defer { state.work = nil }
      return (state.work, state.folders)
    }
    if let work {
      work.yield(number)
      return
    }
    for folder in folders { remove(folder) }
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }

  /// Other threads may still create files in it, so one attempt can find it not empty.
  private static func remove(_ folder: String) {
    for _ in 0..<1000 where FileManager.default.fileExists(atPath: folder) {
      try? FileManager.default.removeItem(atPath: folder)
    }
  }
}
