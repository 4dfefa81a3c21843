/// Connects to one daemon and moves frames; it knows no message.
package protocol Transport: Sendable {
  /// Begins to connect; what happens is told on any thread, until `closed`.
  func connect(_ tell: @escaping @Sendable (TransportEvent) -> Void) -> any TransportConnection
}

/// A connection that is coming about, stands, or has ended.
package protocol TransportConnection: AnyObject, Sendable {
  /// Sends a text frame behind those that were sent before; nowhere, when it has ended.
  func send(_ frame: [UInt8])

  /// Ends it. Nothing needs to be told of that.
  func close(code: UInt16, reason: String)
}

/// What a connection tells.
package enum TransportEvent: Sendable {
  /// It stands.
  case opened
  /// A whole text frame came.
  case text([UInt8])
  /// A binary frame came.
  case binary
  /// Frames of so many bytes have left for the operating system.
  case sent(Int)
  /// It has ended, or did not come about: with the code of the close frame, if there was one.
  case closed(code: UInt16?, reason: String)
}
