/// Checks of frame heads that the library does not make.
enum FrameHead {
  /// Whether a client's frame has no mask, which the protocol forbids.
  ///
  /// The library unmasks payloads without reporting whether there was a mask. But a frame's head is
  /// directly before its payload if one read returned both, as nearly all reads do. So this looks
  /// there for an unmasked head with this length. If an earlier read returned the head, other bytes
  /// are there, and the frame is accepted.
  ///
  /// - Parameters:
  ///   - payload: The frame's first piece, in the library's buffer.
  ///   - length: The length of the frame's whole payload.
  static func isUnmasked(before payload: UnsafeRawBufferPointer, length: Int) -> Bool {
    guard let start = payload.baseAddress, length > 0 else { return false }
    // Safe: at least 16 bytes precede the payload in the library's buffers (LWS_PRE, or the rest of
    // a larger block), and no head is longer than 14.
    func byte(_ distance: Int) -> UInt8 {
      (start - distance).load(as: UInt8.self)
    }
    let lengthBytes: [UInt8] =
      if length < 126 {
        [UInt8(length)]
      } else if length < 65_536 {
        [126, UInt8(length >> 8), UInt8(length & 0xff)]
      } else {
        [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
      }
    let count = lengthBytes.count
    func isHead(endingAt distance: Int, mask: UInt8) -> Bool {
      // FIN and opcode: text, binary, or continuation. The library checks the reserved bits.
      guard byte(distance + count + 1) & 0x7f <= 2 else { return false }
      guard byte(distance + count) == lengthBytes[0] | mask else { return false }
      return lengthBytes.indices.dropFirst().allSatisfy {
        byte(distance + count - $0) == lengthBytes[$0]
      }
    }
    return isHead(endingAt: 0, mask: 0) && !isHead(endingAt: 4, mask: 0x80)
  }
}
