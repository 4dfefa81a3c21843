/// Assembles a message from its pieces. Pure.
///
/// Safe: a borrowed piece is copied within the call.
struct MessageAssembly {
  /// The result of adding a piece.
  enum Step: Equatable {
    case incomplete
    case message(SocketMessage)
    case tooBig
  }

  /// The maximum length of a message.
  var limit: Int
  private var bytes: [UInt8] = []
  private var isBinary = false
  private var isUnderWay = false

  /// The bytes of an unfinished message.
  var byteCount: Int { bytes.count }

  /// Drops an unfinished message.
  mutating func drop() {
    bytes = []
    isUnderWay = false
  }

  /// The maximum memory to reserve for an announced length.
  private static let maximumReservation = 256 * 1024

  init(limit: Int) {
    self.limit = limit
  }

  /// Appends a piece.
  ///
  /// - Parameters:
  ///   - rest: The number of bytes of the same frame that follow.
  ///   - isFinal: Whether the message ends with this piece.
  ///   - isBinary: The kind of message; only used for the first piece.
  mutating func append(
    _ piece: UnsafeRawBufferPointer, rest: Int, isFinal: Bool, isBinary: Bool
  ) -> Step {
    let room = limit - bytes.count - piece.count
    guard room >= 0, rest <= room else { return .tooBig }
    if !isUnderWay {
      if isFinal {
        // Most messages arrive in one piece, and are copied only once.
        let whole = [UInt8](piece)
        return .message(isBinary ? .binary(whole) : .text(whole))
      }
      isUnderWay = true
      self.isBinary = isBinary
      bytes.reserveCapacity(piece.count + min(rest, Self.maximumReservation))
    }
    bytes.append(contentsOf: piece)
    guard isFinal else { return .incomplete }
    isUnderWay = false
    defer { bytes = [] }
    return .message(self.isBinary ? .binary(bytes) : .text(bytes))
  }
}
