import Synchronization

@testable import WebSockets

/// A server whose decisions and responses a test provides.
final class ProbeServer: ServerHandler, Sendable {
  private let sessions: @Sendable (Request) -> UpgradeDecision
  private let requests: @Sendable (Exchange) -> Void

  init(
    sessions: @escaping @Sendable (Request) -> UpgradeDecision = { _ in
      .refuse(.text(403, "Not here."))
    },
    requests: @escaping @Sendable (Exchange) -> Void = { $0.respond(.text(404, "Not here.")) }
  ) {
    self.sessions = sessions
    self.requests = requests
  }

  /// A server whose sessions all belong to one probe.
  convenience init(_ probe: SessionProbe, options: SessionOptions = SessionOptions()) {
    self.init(sessions: { _ in .accept(probe, options: options) })
  }

  func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision { sessions(request) }

  func handle(_ exchange: Exchange, on loop: isolated Loop) { requests(exchange) }
}
