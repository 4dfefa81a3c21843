/// Whoever decides what a listener does with those who come.
///
///     final class Site: ServerHandler {
///       func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision {
///         guard request.header("host") == "127.0.0.1:7357" else {
///           return .refuse(.text(421, "This is not the host you look for."))
///         }
///         guard let role = request.subprotocol else {
///           return .refuse(.text(400, "Say with a subprotocol what you are."))
///         }
///         return .accept(makeSession(role))
///       }
///       func handle(_ exchange: Exchange, on loop: isolated Loop) {
///         exchange.respond(files.response(to: exchange.request))
///       }
///     }
///
/// Everything is called on the loop and must not block it.
package protocol ServerHandler: AnyObject {
  /// A client wants a WebSocket session. What RFC 6455 asks of its request holds by now.
  func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision

  /// A request that is not for a session.
  func handle(_ exchange: Exchange, on loop: isolated Loop)

  /// Whether somebody may connect at all, when there are that many connections at the listener, of
  /// which so many come from the same address or user. Default: yes; the listener's own limits are
  /// asked first.
  func admits(_ peer: Peer, connections: Int, ofPeer: Int, on loop: isolated Loop) -> Bool
}

extension ServerHandler {
  package func admits(
    _ peer: Peer, connections: Int, ofPeer: Int, on loop: isolated Loop
  ) -> Bool { true }
}

/// What becomes of the wish for a session.
package enum UpgradeDecision {
  /// It begins. The subprotocol is `request.subprotocol` or none: which of several that both ends
  /// know is spoken is for the client's order to say.
  case accept(any SessionHandler, options: SessionOptions = SessionOptions())
  /// It does not; the client gets this answer.
  case refuse(Response)
}

/// A decision for a session, until the library has done its part.
struct UpgradeAcceptance {
  let handler: any SessionHandler
  let options: SessionOptions
}
