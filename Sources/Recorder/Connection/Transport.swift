/// Connects to one daemon and transfers frames. It does not interpret messages.
package protocol Transport: Sendable {
  /// Starts to connect. Events are reported on any thread, until `closed`.
  func connect(_ onEvent: @escaping @Sendable (TransportEvent) -> Void) -> any TransportConnection
}

/// A connection that is opening, open, or closed.
package protocol TransportConnection: AnyObject, Sendable {
  /// Sends a text frame after those that were sent before, or drops it if the connection has ended.
  ///
  /// It accepts every frame. When its queue is full it reports `full`, and `drained` later.
  func send(_ frame: [UInt8])

  /// Changes the maximum length of a message that it accepts. Until then, the limit is
  /// ``ConnectionMachine/firstMessage``, because the peer has proved nothing.
  func limitMessages(to bytes: Int)

  /// Closes the connection after everything that was sent. No event needs to be reported for this.
  func close(code: UInt16, reason: String)

  /// Whether the operating system has everything that was sent.
  var hasSentAll: Bool { get }
}

package enum TransportEvent: Sendable {
  /// It is open. The system confirms or denies that the peer is the same user, or does not know.
  case opened(isSameUser: Bool?)
  /// A complete text frame arrived.
  case text([UInt8])
  /// A binary frame arrived.
  case binary
  /// Its queue is full.
  case full
  /// Its queue has room again.
  case drained
  /// It was closed, or could not be opened; with the code of the close frame, if there was one.
  case closed(code: UInt16?, reason: String)
}
