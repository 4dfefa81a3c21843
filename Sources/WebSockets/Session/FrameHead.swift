/// What RFC 6455 says about the first bytes of a frame.
enum FrameHead {
  /// Whether a frame that came from a client was sent without a mask, which the protocol forbids.
  ///
  /// The library unmasks, and does not say whether there was a mask. But the head of a frame lies
  /// right in front of its payload when both came with one read, as nearly all do. So this looks
  /// there for a head of that length without a mask. When the head came with an earlier read there
  /// is something else in that place, and the frame is taken.
  ///
  /// - Parameters:
  ///   - payload: The frame's first piece, where the library has it.
  ///   - length: How many bytes the frame's payload has in all.
  static func isUnmasked(before payload: UnsafeRawBufferPointer, length: Int) -> Bool {
    guard let start = payload.baseAddress, length > 0 else { return false }
    // Safe: the library's buffers lie at the end of a larger block or have at least 16 bytes in
    // front of them (LWS_PRE), and no head is longer than 14.
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
      // FIN and opcode: text, binary or continuation; the reserved bits are checked by the library.
      guard byte(distance + count + 1) & 0x7f <= 2 else { return false }
      guard byte(distance + count) == lengthBytes[0] | mask else { return false }
      return lengthBytes.indices.dropFirst().allSatisfy {
        byte(distance + count - $0) == lengthBytes[$0]
      }
    }
    return isHead(endingAt: 0, mask: 0) && !isHead(endingAt: 4, mask: 0x80)
  }
}
