import DebugServer
import JSONCore
import Synchronization
import Timelines
import Wire

@testable import debugd

/// A daemon with one recording and one host, which need not answer, and never completes a branch.
final class SilentDaemon: Sendable {
  private struct State {
    var connections = 0
    /// How many connections get no answers, from the first one on.
    var silent = 0
    var asked: [FromInspector] = []
  }

  static let recording = TimelineID("6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f0") ?? .zero
  static let branch = TimelineID("6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f1") ?? .zero

  private let state = Mutex(State())
  /// Nothing happens, and they do not end.
  private let (news, newsContinuation) = AsyncStream.makeStream(of: ToInspector.self)

  init(silentConnections: Int) { state.withLock { $0.silent = silentConnections } }

  var connections: Int { state.withLock { $0.connections } }

  /// From now on, new connections are answered.
  func answer() { state.withLock { $0.silent = $0.connections } }

  /// Whether it was asked to watch a timeline.
  var isWatched: Bool {
    state.withLock { state in
      state.asked.contains { if case .watch = $0 { true } else { false } }
    }
  }

  func open() -> any Backend {
    Connection(
      daemon: self,
      number: state.withLock {
        $0.connections += 1; return $0.connections
      })
  }

  /// One connection to it.
  private struct Connection: Backend {
    let daemon: SilentDaemon
    let number: Int

    func ask(
      _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
    ) async throws(BackendError) -> BackendAnswer {
      guard daemon.isAnswering(request, on: number) else {
        let (silence, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in silence {}
        continuation.finish()
        throw .disconnected("it was canceled.")
      }
      guard let answer = SilentDaemon.answer(request) else { throw .unexpected("\(request)") }
      return .message(answer)
    }

    func news() async -> AsyncStream<ToInspector> { daemon.news }

    func close() async {}
  }

  private func isAnswering(_ request: FromInspector, on connection: Int) -> Bool {
    state.withLock { state in
      state.asked.append(request)
      return connection > state.silent
    }
  }

  private static func answer(_ request: FromInspector) -> ToInspector? {
    switch request {
    case .timelines:
      return .timelines(
        ToInspector.Timelines { $0.timelines = [summary(recording), summary(branch)] })
    case .hosts:
      return .hosts(ToInspector.Hosts { $0.hosts = [ToInspector.HostSummary()] })
    case .fork: return .fork(ToInspector.Fork { $0.timeline = branch })
    case .watch: return .done(ToInspector.Done())
    default: return nil
    }
  }

  private static func summary(_ timeline: TimelineID) -> ToInspector.TimelineSummary {
    let header: JSON.Object = [
      "timeline": .string(timeline.text), "format": 1, "app": ["name": "a"],
      "machine": ["type": "Coin", "name": "coin"], "started": "2026-05-01T08:00:00Z",
    ]
    return ToInspector.TimelineSummary {
      $0.header = (try? JSONSlice(validating: JSON.object(header).encoded())) ?? .null
      $0.computing = timeline == branch ? 9 : nil
    }
  }
}
