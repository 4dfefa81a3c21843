/// Why a connection is closed, as the code of the WebSocket's close frame.
///
/// The reason that goes with it is a sentence. What one message got wrong is an error reply and
/// closes nothing.
package enum CloseCode: UInt16, CaseIterable, Sendable {
  /// The connection is no longer needed.
  case normal = 1000
  /// The daemon ends, or the user leaves the page.
  case goingAway = 1001
  /// The frames are not WebSocket frames.
  case protocolError = 1002
  /// A binary frame from a recorder or inspector.
  case notText = 1003
  /// A text frame that is not UTF-8.
  case notUTF8 = 1007
  /// A message longer than `maxMessage`.
  case tooLong = 1009
  /// An internal error of the daemon.
  case fault = 1011
  /// No `hello` in time, or no valid proof.
  case unauthorised = 4001
  /// A newer major version of the protocol.
  case version = 4002
  /// More `append` than the credit allows, after one warning.
  case credit = 4003
  /// The connection was silent for too long ([Silence](#silence)), or the peer has received nothing
  /// for 60 seconds.
  case idle = 4004
  /// The session was revoked.
  case revoked = 4005
  /// More connections, timelines, or requests than allowed.
  case limit = 4006
}
