import JSONCore
import Recorder
import Replaying
import Reruns
import Synchronization
import Timelines
import Wire

/// Hosts in the test's own process: requests and answers go through their text, as they do to a
/// process.
final class FakeHosts: ReducerHosts {
  /// What a test may do before a request is run, given how many came before: wait, or throw.
  typealias Before = @Sendable (Int, ToRecorder.Reduce) async throws -> Void
  /// What a test may do with an answer: change it, or throw in its place.
  typealias After = @Sendable (Int, FromRecorder.Reduced) throws -> FromRecorder.Reduced

  private struct State {
    var machines: HostedMachines
    var isThere = true
    var before: Before?
    var after: After?
    var requests = 0
    /// What keeps steps or searches between requests, by the number of the host.
    var sessions: [Int: HostSession] = [:]
    var freshHosts = 0
  }

  private let state: Mutex<State>
  private let limits: HostLimits

  /// Whether they keep steps between requests.
  let keeps: Bool
  /// Whether they answer `expand`.
  let expands: Bool

  init(_ replays: [Replay], partEntries: Int = 100, keeps: Bool = false, expands: Bool = false) {
    var limits = HostLimits()
    limits.partEntries = partEntries
    self.limits = limits
    self.keeps = keeps
    self.expands = expands
    state = Mutex(State(machines: HostedMachines(replays)))
  }

  /// Drops the kept steps, like a restarted process.
  func forget() {
    state.withLock { $0.sessions = [:] }
  }

  /// Waits until the task is canceled.
  static func neverAnswer() async {
    for await _ in AsyncStream(Void.self, { _ in }) {}
  }

  /// Whether there is a host.
  var isThere: Bool {
    get { state.withLock { $0.isThere } }
    set { state.withLock { $0.isThere = newValue } }
  }

  /// How many requests came.
  var requests: Int { state.withLock { $0.requests } }

  func onRequest(_ before: Before?) { state.withLock { $0.before = before } }

  func onAnswer(_ after: After?) { state.withLock { $0.after = after } }

  func host(for header: Header, named name: String?) async throws -> any ReducerHosting {
    guard isThere else { throw Refusal(.noHost, "There is no host.") }
    return FakeHost(hosts: self, number: 0)
  }

  func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting {
    guard isThere else { throw Refusal(.noHost, "There is no host.") }
    let number = state.withLock { state in
      state.freshHosts += 1
      return state.freshHosts
    }
    return FakeHost(hosts: self, number: number)
  }

  fileprivate func run(
    _ request: ToRecorder.Reduce, on host: Int,
    _ part: (FromRecorder.Reduced) async throws -> Void
  ) async throws {
    guard isThere else { throw Refusal(.failed, "The host is gone.") }
    let (number, before, after, machines) = state.withLock { state in
      state.requests += 1
      return (state.requests - 1, state.before, state.after, state.machines)
    }
    try await before?(number, request)
    try Task.checkCancellation()
    let line = Envelope(ToRecorder.reduce(request), id: .number(7)).encoded()
    let answers = state.withLock { state in
      var answers: [[UInt8]] = []
      let session =
        state.sessions[host] ?? HostSession(machines, limits: limits, keeps: keeps)
      if keeps || expands { state.sessions[host] = session }
      session.receive(line) { answers.append($0.encoded()) }
      return answers
    }
    for answer in answers {
      try Task.checkCancellation()
      switch try Envelope<FromRecorder>(reading: answer, maxMessage: answer.count).body {
      case .reduced(let reduced): try await part(after?(number, reduced) ?? reduced)
      case .error(let reply): throw Refusal(reply.code, reply.message, path: reply.path)
      default: throw Refusal(.failed, "The host said something else.")
      }
    }
  }
}

private struct FakeHost: ReducerHosting {
  let hosts: FakeHosts
  let number: Int

  var summary: ToInspector.HostSummary { ToInspector.HostSummary { $0.name = "fake" } }

  var keeps: Bool { hosts.keeps }

  func expands() async -> Bool { hosts.expands }

  func reduce(
    _ request: ToRecorder.Reduce,
    part: @Sendable (FromRecorder.Reduced) async throws -> Void
  ) async throws {
    try await hosts.run(request, on: number, part)
  }
}
