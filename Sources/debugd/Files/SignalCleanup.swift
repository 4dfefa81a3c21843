import Foundation
import Synchronization

/// The folders that are removed when a signal ends the program.
enum SignalCleanup {
  private struct State {
    var isInstalled = false
    var folders: Set<String> = []
    /// The work that a first signal only cancels, because it cleans up by itself.
    var work: AsyncStream<Int32>.Continuation?
  }

  private static let state = Mutex(State())
  private static let numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP]

  /// Removes a folder at a signal, too, until ``forget(_:)``.
  static func add(_ folder: String) async {
    state.withLock { _ = $0.folders.insert(folder) }
    await install()
  }

  static func forget(_ folder: String) {
    state.withLock { _ = $0.folders.remove(folder) }
  }

  /// The first signal for work that cleans up by itself, until ``resume()``; a second one ends the
  /// program. One source serves all: of two sources of a signal, only one receives it.
  static func lend() async -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    state.withLock { $0.work = continuation }
    await install()
    return stream
  }

  /// Such work ended without a signal.
  static func resume() {
    state.withLock { $0.work = nil }
  }

  /// Takes the signals, which end the program from now on only here.
  private static func install() async {
    let isFirst = state.withLock { state in
      defer { state.isInstalled = true }
      return !state.isInstalled
    }
    guard isFirst else { return }
    let signals = await SignalStream(numbers)
    Task.detached {
      for await number in signals.numbers { end(by: number) }
    }
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
