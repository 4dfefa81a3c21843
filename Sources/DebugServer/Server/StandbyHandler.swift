internal import WebSockets

/// Answers while the daemon waits for its database: health checks, and a refusal to everything else.
final class StandbyHandler: ServerHandler {
  private static let refusal = Response.text(
    503, "This daemon is a standby: another one serves the database.")

  private let entrance: Entrance

  init(_ entrance: Entrance) {
    self.entrance = entrance
  }

  func accepts(_ peer: Peer, connections: Int, ofPeer: Int, on loop: isolated Loop) -> Bool {
    entrance == .port || peer.isSameUser
  }

  func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision {
    .refuse(Self.refusal)
  }

  func handle(_ exchange: Exchange, on loop: isolated Loop) {
    exchange.respond(
      Health.isAsked(by: exchange.request) ? Health.standby.response : Self.refusal)
  }
}
