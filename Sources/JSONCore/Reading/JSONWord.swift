/// Eight bytes of a text at once, and which of them are of a kind.
///
/// An answer has the high bit of a byte set where it is of the kind. By the borrow of a subtraction
/// bytes *after* the first such one may be marked wrongly; the first mark is always right, and so is
/// the absence of any.
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
  /// Safe: the caller has made sure that the buffer has them.
  @inlinable
  @inline(__always)
  package init(_ bytes: UnsafeRawPointer, at offset: Int) {
    word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// How many bytes come before the first that `marks` marks, which must mark one.
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

  /// Quotes and backslashes.
  @inlinable
  @inline(__always)
  package var quotesAndBackslashes: UInt64 {
    Self.zeros(word ^ Self.ones &* 0x22) | Self.zeros(word ^ Self.ones &* 0x5C)
  }

  /// Quotes, brackets and braces.
  @inlinable
  @inline(__always)
  package var structure: UInt64 {
    // A bracket and its brace differ in the bit 0x20 alone; nothing else that is an ASCII
    // character outside strings becomes one of them by it.
    let folded = word | Self.ones &* 0x20
    return Self.zeros(word ^ Self.ones &* 0x22) | Self.zeros(folded ^ Self.ones &* 0x7B)
      | Self.zeros(folded ^ Self.ones &* 0x7D)
  }
}
