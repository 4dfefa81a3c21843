import JSONCore
import Synchronization
import Timelines
import Wire

@testable import Reruns

/// Hosts that run each request once, and end early or fail when it is repeated.
struct TiringHosts: ReducerHosts {
  private let machine: FunctionMachine
  private let isThrowing: Bool

  init(_ machine: FunctionMachine, isThrowing: Bool) {
    (self.machine, self.isThrowing) = (machine, isThrowing)
  }

  private final class Host: ReducerHosting {
    private let host: FunctionHost
    private let isThrowing: Bool
    private let begun = Mutex<Set<Int64>>([])
    var summary: ToInspector.HostSummary { host.summary }

    init(_ machine: FunctionMachine, isThrowing: Bool) {
      host = FunctionHost(machine)
      self.isThrowing = isThrowing
    }

    func confirm(_ request: ToRecorder.Confirm) async throws -> FromRecorder.Confirmed? { nil }

    func reduce(
      _ request: ToRecorder.Reduce,
      part: @Sendable (FromRecorder.Reduced) async throws -> Void
    ) async throws {
      if begun.withLock({ $0.insert(request.seq).inserted }) {
        return try await host.reduce(request, part: part)
      }
      if isThrowing { throw Refusal(.failed, "It is tired.") }
      try await part(
        FromRecorder.Reduced {
          $0.ended = EarlyEnd {
            $0.why = .limit
            $0.seq = request.seq
          }
        })
    }
  }

  func host(for header: Header, named name: String?) async throws -> any ReducerHosting {
    Host(machine, isThrowing: isThrowing)
  }

  func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting {
    Host(machine, isThrowing: isThrowing)
  }
}
