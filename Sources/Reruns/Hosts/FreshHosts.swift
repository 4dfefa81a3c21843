internal import Synchronization
internal import Timelines
internal import Wire

/// Hosts that are started for one task each, and their limit.
final class FreshHosts: Sendable {
  /// A host that counts toward the limit while it is referenced.
  private final class FreshHost: ReducerHosting {
    private let host: ExecutableHost
    private let all: FreshHosts

    init(_ host: ExecutableHost, of all: FreshHosts) {
      self.host = host
      self.all = all
    }

    deinit {
      // It counts until its process is asked to end.
      host.stop()
      all.count.withLock { $0 -= 1 }
    }

    var summary: ToInspector.HostSummary { host.summary }

    func reduce(
      _ request: ToRecorder.Reduce,
      part: @Sendable (FromRecorder.Reduced) async throws -> Void
    ) async throws {
      try await host.reduce(request, part: part)
    }

    func expands() async -> Bool { await host.expands() }

    func confirm(_ request: ToRecorder.Confirm) async throws -> FromRecorder.Confirmed? {
      try await host.confirm(request)
    }
  }

  private let most: Int
  private let count = Mutex(0)

  init(most: Int) {
    self.most = most
  }

  /// Makes a host, which is returned to the limit when the value is released.
  ///
  /// - Throws: a ``Refusal`` if the limit is reached. It does not wait: two callers that each have
  ///   some of the hosts they need would wait for each other.
  func make(_ make: () -> ExecutableHost) throws(Refusal) -> any ReducerHosting {
    let isFree = count.withLock { count in
      guard count < most else { return false }
      count += 1
      return true
    }
    guard isFree else {
      throw Refusal(
        .limit,
        """
        \(most) processes are verifying already, and the daemon starts no more. To fix, wait until \
        the other verifications have ended, or ask for fewer processes.
        """)
    }
    return FreshHost(make(), of: self)
  }
}
