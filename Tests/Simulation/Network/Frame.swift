/// What travels on a simulated connection: WebSocket frames with whole messages, and the end of TCP.
enum Frame {
  case text([UInt8])
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case close(code: UInt16, reason: String)
  /// The system says that the other end is gone.
  case end

  var byteCount: Int {
    switch self {
    case .text(let bytes), .binary(let bytes), .ping(let bytes), .pong(let bytes): bytes.count + 8
    case .close(_, let reason): reason.utf8.count + 8
    case .end: 0
    }
  }

  /// What it is, for the journal.
  var description: String {
    switch self {
    case .text(let bytes): "\(bytes.count) B \(String(decoding: bytes.prefix(120), as: UTF8.self))"
    case .binary(let bytes): "\(bytes.count) B binary"
    case .ping(let bytes): "ping \(String(decoding: bytes, as: UTF8.self))"
    case .pong(let bytes): "pong \(String(decoding: bytes, as: UTF8.self))"
    case .close(let code, let reason): "close \(code) \(reason)"
    case .end: "end of connection"
    }
  }
}
