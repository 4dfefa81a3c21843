/// Whoever wants to know what happens on sessions. One handler may serve any number of them.
///
///     final class Echo: SessionHandler {
///       func received(_ message: Message, from session: Session, on loop: isolated Loop) {
///         session.send(message)
///       }
///       func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {}
///     }
///
/// Everything is called on the loop and must not block it.
package protocol SessionHandler: AnyObject {
  /// The session has begun. Default: nothing is done.
  func opened(_ session: Session, on loop: isolated Loop)

  /// A whole message came.
  func received(_ message: Message, from session: Session, on loop: isolated Loop)

  /// After `send` gave `full`, little is left in the queue; with `tellsEmpty`, also whenever nothing
  /// is. Default: nothing is done.
  func drained(_ session: Session, on loop: isolated Loop)

  /// Whether a request on the session is in progress, so that silence does not end it. Default: no.
  func isBusy(_ session: Session, on loop: isolated Loop) -> Bool

  /// The session has ended, or never began: then `opened` was not called. The last call, made
  /// exactly once.
  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop)
}

extension SessionHandler {
  package func opened(_ session: Session, on loop: isolated Loop) {}
  package func drained(_ session: Session, on loop: isolated Loop) {}
  package func isBusy(_ session: Session, on loop: isolated Loop) -> Bool { false }
}
