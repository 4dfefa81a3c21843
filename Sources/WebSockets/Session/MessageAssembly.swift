/// Puts a message together from the pieces in which it comes. Pure.
///
/// Safe: a piece is only borrowed while it is copied.
struct MessageAssembly {
  /// What a piece led to.
  enum Step: Equatable {
    /// More is to come.
    case incomplete
    /// The message is whole.
    case message(Message)
    /// It is longer than is taken here.
    case tooBig
  }

  /// The bytes of the longest message that is taken.
  var limit: Int
  private var bytes: [UInt8] = []
  private var isBinary = false
  private var isUnderWay = false

  /// Reserve no more than this for what a peer only announced.
  private static let trust = 256 * 1024

  /// Messages of at most that many bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes a piece.
  ///
  /// - Parameters:
  ///   - rest: How many bytes of the same frame follow.
  ///   - isFinal: Whether the message ends with this piece.
  ///   - isBinary: Its kind, which counts for the first piece.
  mutating func take(
    _ piece: UnsafeRawBufferPointer, rest: Int, isFinal: Bool, isBinary: Bool
  ) -> Step {
    let room = limit - bytes.count - piece.count
    guard room >= 0, rest <= room else { return .tooBig }
    if !isUnderWay {
      if isFinal {
        // Most messages come in one piece, and are copied once.
        let whole = [UInt8](piece)
        return .message(isBinary ? .binary(whole) : .text(whole))
      }
      isUnderWay = true
      self.isBinary = isBinary
      bytes.reserveCapacity(piece.count + min(rest, Self.trust))
    }
    bytes.append(contentsOf: piece)
    guard isFinal else { return .incomplete }
    isUnderWay = false
    defer { bytes = [] }
    return .message(self.isBinary ? .binary(bytes) : .text(bytes))
  }
}
