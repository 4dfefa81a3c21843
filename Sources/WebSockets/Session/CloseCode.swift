/// A close code of RFC 6455. 4000 to 4999 are for applications.
package struct SessionCloseCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The purpose of the session is fulfilled.
  package static let normal = Self(rawValue: 1000)
  /// The program ends, or the user leaves the page.
  package static let goingAway = Self(rawValue: 1001)
  package static let protocolError = Self(rawValue: 1002)
  /// A message of a kind that is not supported.
  package static let unsupported = Self(rawValue: 1003)
  /// The close frame had no code. Never sent.
  package static let noStatus = Self(rawValue: 1005)
  /// The connection was lost without a close frame. Never sent.
  package static let abnormal = Self(rawValue: 1006)
  /// A text message that is not UTF-8.
  package static let invalidText = Self(rawValue: 1007)
  /// A message that exceeds the limit.
  package static let tooBig = Self(rawValue: 1009)
  /// An error on this side.
  package static let internalError = Self(rawValue: 1011)

  /// Whether a close frame may have this code.
  var canBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1011, 3000...4999: true
    default: false
    }
  }
}

package struct SessionEnd: Equatable, Sendable {
  /// The side that ended the session.
  package enum Side: Sendable {
    /// The peer closed it.
    case peer
    /// This side closed it, with `close` or because the peer broke a rule.
    case local
    /// Neither side: the connection was lost or never established.
    case neither
  }

  /// The code of the first close frame.
  package var code: SessionCloseCode
  /// The reason in the close frame, or a description of the failure.
  package var reason: String
  /// The side that closed the session first.
  package var side: Side
  /// Whether both sides sent a close frame.
  package var wasClean: Bool
  /// The HTTP status with which a server refused the session, if it did.
  package var refusal: Int?

  package init(
    code: SessionCloseCode, reason: String, side: Side, wasClean: Bool, refusal: Int? = nil
  ) {
    self.code = code
    self.reason = reason
    self.side = side
    self.wasClean = wasClean
    self.refusal = refusal
  }

  /// The end of a session whose connection was lost.
  static func lost(_ reason: String, refusal: Int? = nil) -> SessionEnd {
    SessionEnd(code: .abnormal, reason: reason, side: .neither, wasClean: false, refusal: refusal)
  }
}
