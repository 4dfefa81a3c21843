/// Eight bytes of a text at once, and which of them belong to a class of bytes.
///
/// A result has the high bit of a byte set if the byte belongs to the class. Because a subtraction
/// borrows, bytes *after* the first match may be marked wrongly; the first mark is always right,
/// and so is the absence of any.
package struct JSONWord {
  @usableFromInline let word: UInt64

  @inlinable
  @inline(__always)
  static var ones: UInt64 { 0x0101_0101_0101_0101 }
  @inlinable
  @inline(__always)
  static var highs: UInt64 { 0x8080_8080_8080_8080 }

  /// The eight bytes at `offset`.
  ///
  /// Safe: the caller ensures that the buffer has them.
  @inlinable
  @inline(__always)
  package init(_ bytes: UnsafeRawPointer, at offset: Int) {
    word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The number of bytes before the first marked one; `marks` must not be zero.
  @inlinable
  @inline(__always)
  package static func before(_ marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }

  @inlinable
  @inline(__always)
  static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

  /// Quotes, backslashes, control characters and bytes above ASCII.
  @inlinable
  @inline(__always)
  package var unplain: UInt64 {
    let controls = (word &- Self.ones &* 0x20) & ~word
    return quotesAndBackslashes | (controls | word) & Self.highs
  }

  @inlinable
  @inline(__always)
  package var quotesAndBackslashes: UInt64 {
    Self.zeros(word ^ Self.ones &* 0x22) | Self.zeros(word ^ Self.ones &* 0x5C)
  }

  /// Quotes, brackets and braces.
  @inlinable
  @inline(__always)
  package var structure: UInt64 {
    // A bracket and its brace differ only in the bit 0x20, and setting that bit turns no other
    // ASCII character outside strings into one of them.
    let folded = word | Self.ones &* 0x20
    return Self.zeros(word ^ Self.ones &* 0x22) | Self.zeros(folded ^ Self.ones &* 0x7B)
      | Self.zeros(folded ^ Self.ones &* 0x7D)
  }
}
