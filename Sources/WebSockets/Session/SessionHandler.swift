/// Handles the events of sessions. One handler may serve any number of them.
///
///     final class Echo: SessionHandler {
///       func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
///         session.send(message)
///       }
///       func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {}
///     }
///
/// All methods are called on the loop, and must not block it.
package protocol SessionHandler: AnyObject {
  /// The session has begun (default: does nothing).
  func opened(_ session: Session, on loop: isolated Loop)

  /// A whole message arrived.
  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop)

  /// The queue is nearly empty after `send` returned `full`; with `reportsEmpty`, also whenever it
  /// becomes empty (default: does nothing).
  func drained(_ session: Session, on loop: isolated Loop)

  /// Whether a request on the session is in progress, so that silence does not end it (default: no).
  func isBusy(_ session: Session, on loop: isolated Loop) -> Bool

  /// The session has ended, or could not begin without a call of `opened`. This is the last call, made
  /// exactly once.
  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop)
}

extension SessionHandler {
  package func opened(_ session: Session, on loop: isolated Loop) {}
  package func drained(_ session: Session, on loop: isolated Loop) {}
  package func isBusy(_ session: Session, on loop: isolated Loop) -> Bool { false }
}
