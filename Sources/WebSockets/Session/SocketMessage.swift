/// A whole message.
package enum SocketMessage: Equatable, Sendable {
  /// UTF-8 text. Received text is validated; sent text is not.
  case text([UInt8])
  case binary([UInt8])

  package var bytes: [UInt8] {
    switch self {
    case .text(let bytes), .binary(let bytes): bytes
    }
  }
}
