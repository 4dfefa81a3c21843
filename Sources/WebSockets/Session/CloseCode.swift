/// Why a session is closed, as RFC 6455 numbers it. 4000 to 4999 are the applications' own.
package struct SessionCloseCode: RawRepresentable, Hashable, Sendable {
  /// The number.
  package let rawValue: UInt16

  /// That number.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Nothing more to say.
  package static let normal = Self(rawValue: 1000)
  /// A program ends, a page is left.
  package static let goingAway = Self(rawValue: 1001)
  /// What came is not WebSocket.
  package static let protocolError = Self(rawValue: 1002)
  /// A message of a kind that is not taken here.
  package static let unsupported = Self(rawValue: 1003)
  /// Closed without a code. Never sent.
  package static let noStatus = Self(rawValue: 1005)
  /// The connection was lost without a word. Never sent.
  package static let abnormal = Self(rawValue: 1006)
  /// Text that is not UTF-8.
  package static let invalidText = Self(rawValue: 1007)
  /// A message that is longer than is taken here.
  package static let tooBig = Self(rawValue: 1009)
  /// A fault of this end.
  package static let internalError = Self(rawValue: 1011)

  /// Whether a close frame may carry it.
  var canBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1011, 3000...4999: true
    default: false
    }
  }
}

/// How a session ended.
package struct SessionEnd: Equatable, Sendable {
  /// Who ended it.
  package enum Side: Sendable {
    /// The other end said that it closes.
    case peer
    /// This end did, by `close` or because the peer broke a rule.
    case here
    /// Nobody: the connection was lost, or never came about.
    case nobody
  }

  /// The code that was sent, by whoever began.
  package var code: SessionCloseCode
  /// The sentence that went with it, or what is known of a failure.
  package var reason: String
  /// Who began.
  package var side: Side
  /// Whether both ends agreed to close.
  package var wasClean: Bool
  /// The status with which a server refused the session, when that is how it ended.
  package var refusal: Int?

  /// An end of these parts.
  package init(
    code: SessionCloseCode, reason: String, side: Side, wasClean: Bool, refusal: Int? = nil
  ) {
    self.code = code
    self.reason = reason
    self.side = side
    self.wasClean = wasClean
    self.refusal = refusal
  }

  /// An end that nobody wanted.
  static func lost(_ reason: String, refusal: Int? = nil) -> SessionEnd {
    SessionEnd(code: .abnormal, reason: reason, side: .nobody, wasClean: false, refusal: refusal)
  }
}
