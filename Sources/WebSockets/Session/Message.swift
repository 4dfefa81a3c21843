/// What is sent and received: a whole message.
package enum Message: Equatable, Sendable {
  /// UTF-8. What is received has been checked; what is sent is the sender's word.
  case text([UInt8])
  /// Any bytes.
  case binary([UInt8])

  /// Its payload.
  package var bytes: [UInt8] {
    switch self {
    case .text(let bytes), .binary(let bytes): bytes
    }
  }
}
