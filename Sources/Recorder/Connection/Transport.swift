/// Connects to one daemon and moves frames; it knows no message.
package protocol Transport: Sendable {
  /// Begins to connect; what happens is told on any thread, until `closed`.
  func connect(_ tell: @escaping @Sendable (TransportEvent) -> Void) -> any TransportConnection
}

/// A connection that is coming about, stands, or has ended.
package protocol TransportConnection: AnyObject, Sendable {
  /// Sends a text frame behind those that were sent before; nowhere, when it has ended.
  ///
  /// It takes every frame. When it has enough of them it tells `full`, and `drained` later.
  func send(_ frame: [UInt8])

  /// Ends it, behind what was sent. Nothing needs to be told of that.
  func close(code: UInt16, reason: String)

  /// Whether everything that was sent has left for the operating system.
  var hasSentAll: Bool { get }
}

/// What a connection tells.
package enum TransportEvent: Sendable {
  /// It stands; the system vouches for the other end being this user's, or does not say.
  case opened(isSameUser: Bool?)
  /// A whole text frame came.
  case text([UInt8])
  /// A binary frame came.
  case binary
  /// It wants no more frames for now.
  case full
  /// It wants frames again.
  case drained
  /// It has ended, or did not come about: with the code of the close frame, if there was one.
  case closed(code: UInt16?, reason: String)
}
