/// RFC 8259's grammar of numbers.
///
/// Safe: every read is behind a check of the index against the buffer's count.
enum JSONNumberGrammar {
  /// The bytes of the number that begins at `start`, or `nil` without one.
  ///
  /// It ends where the grammar ends; the caller checks what follows.
  @inline(__always)
  static func length(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    @inline(__always) func isDigit() -> Bool {
      index < bytes.count && bytes[index] &- UInt8(ascii: "0") <= 9
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    guard isDigit() else { return nil }
    if bytes[index] == UInt8(ascii: "0") {
      index += 1
      if isDigit() { return nil }
    } else {
      while isDigit() { index += 1 }
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard isDigit() else { return nil }
      while isDigit() { index += 1 }
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count,
        bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+")
      {
        index += 1
      }
      guard isDigit() else { return nil }
      while isDigit() { index += 1 }
    }
    return index - start
  }
}
