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
    /// The numbers of the connections that were closed.
    var closed: Set<Int> = []
  }

  static let recording = CountedRecording.timeline(0)
  static let branch = CountedRecording.timeline(1)

  private let state = Mutex(State())
  private let timelines: CountedRecording
  private let hasEntries: Bool
  private let others: @Sendable (FromInspector) -> ToInspector?
  /// Nothing happens, and they do not end.
  private let (news, newsContinuation) = AsyncStream.makeStream(of: ToInspector.self)

  /// - Parameter others: answers what else is asked; `nil` ends the connection.
  init(
    silentConnections: Int = 0, hasEntries: Bool = false,
    others: @escaping @Sendable (FromInspector) -> ToInspector? = { _ in nil }
  ) throws {
    timelines = try CountedRecording(entries: 10, machines: 2)
    (self.hasEntries, self.others) = (hasEntries, others)
    state.withLock { $0.silent = silentConnections }
  }

  var connections: Int { state.withLock { $0.connections } }

  var asked: [FromInspector] { state.withLock { $0.asked } }

  var closed: Set<Int> { state.withLock { $0.closed } }

  /// From now on, new connections are answered.
  func answer() { state.withLock { $0.silent = $0.connections } }

  /// Whether it was asked to watch a timeline.
  var isWatched: Bool { asked.contains { if case .watch = $0 { true } else { false } } }

  func open() -> any Backend {
    let number = state.withLock { state in
      state.connections += 1
      return state.connections
    }
    return Connection(daemon: self, number: number)
  }

  /// One connection to it.
  private final class Connection: Backend {
    let daemon: SilentDaemon
    let number: Int

    init(daemon: SilentDaemon, number: Int) { (self.daemon, self.number) = (daemon, number) }

    func ask(
      _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
    ) async throws(BackendError) -> BackendAnswer {
      guard daemon.isAnswering(request, on: number) else {
        await silence()
        throw .disconnected("it was canceled.")
      }
      return try await daemon.answer(request, each: each)
    }

    func news() async -> AsyncStream<ToInspector> { daemon.news }

    func close() async { daemon.state.withLock { _ = $0.closed.insert(number) } }
  }

  private func isAnswering(_ request: FromInspector, on connection: Int) -> Bool {
    state.withLock { state in
      state.asked.append(request)
      return connection > state.silent
    }
  }

  private func answer(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    if let answer = others(request) { return .message(answer) }
    switch request {
    case .hosts:
      return .message(.hosts(ToInspector.Hosts { $0.hosts = [ToInspector.HostSummary()] }))
    case .fork: return .message(.fork(ToInspector.Fork { $0.timeline = Self.branch }))
    case .watch: return .message(.done(ToInspector.Done()))
    case .timelines:
      guard case .message(.timelines(var list)) = try await timelines.ask(request, each: each)
      else { throw .unexpected("\(request)") }
      list.timelines = list.timelines.enumerated().map { place, summary in
        var summary = summary
        if place == 1 { summary.computing = 9 }
        if !hasEntries { (summary.first, summary.last) = (nil, nil) }
        return summary
      }
      return .message(.timelines(list))
    default: return try await timelines.ask(request, each: each)
    }
  }
}

/// Waits until the task is canceled, as for the answer of a daemon that gives none.
func silence() async {
  let (silence, continuation) = AsyncStream.makeStream(of: Void.self)
  for await _ in silence {}
  continuation.finish()
}
