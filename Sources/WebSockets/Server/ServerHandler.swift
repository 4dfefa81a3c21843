/// Handles the connections of a listener.
///
///     final class Site: ServerHandler {
///       func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision {
///         guard request.header("host") == "127.0.0.1:7357" else {
///           return .refuse(.text(421, "This server is not the requested host."))
///         }
///         guard let role = request.subprotocol else {
///           return .refuse(.text(400, "Choose a subprotocol."))
///         }
///         return .accept(makeSession(role))
///       }
///       func handle(_ exchange: Exchange, on loop: isolated Loop) {
///         exchange.respond(files.response(to: exchange.request))
///       }
///     }
///
/// All methods are called on the loop, and must not block it.
package protocol ServerHandler: AnyObject {
  /// Decides on a WebSocket session. The request already meets RFC 6455.
  func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision

  /// Handles a request that is not an upgrade.
  func handle(_ exchange: Exchange, on loop: isolated Loop)

  /// Whether to accept a connection (default: yes). `connections` is the listener's number of
  /// connections, and `ofPeer` the number from the same address or user. The listener's own limits
  /// are checked first.
  func accepts(_ peer: Peer, connections: Int, ofPeer: Int, on loop: isolated Loop) -> Bool
}

extension ServerHandler {
  package func accepts(
    _ peer: Peer, connections: Int, ofPeer: Int, on loop: isolated Loop
  ) -> Bool { true }
}

/// The decision on an upgrade request.
package enum UpgradeDecision {
  /// Accepts the session with the subprotocol `request.subprotocol`, which the client's order decides.
  case accept(any SessionHandler, options: SessionOptions = SessionOptions())
  /// Refuses the session with this response.
  case refuse(Response)
}

/// An accepted session that the library has not opened yet.
struct UpgradeAcceptance {
  let handler: any SessionHandler
  let options: SessionOptions
}
