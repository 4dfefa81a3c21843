/// Finds the ends of values in validated texts.
///
/// Safe: the text was validated, so everything that begins also ends; and no read is at or beyond
/// `limit`, which is at most the buffer's count.
package enum JSONSkip {
  /// The first byte at or after `start` that is not white space, a comma, or a colon.
  @inlinable
  @inline(__always)
  package static func separators(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before limit: Int
  ) -> Int {
    var index = start
    while index < limit, isSeparator(bytes[index]) { index += 1 }
    return index
  }

  /// The byte after the value that begins at `start`.
  @inlinable
  @inline(__always)
  package static func value(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before limit: Int
  ) -> Int {
    guard start < limit else { return limit }
    switch bytes[start] {
    case UInt8(ascii: "\""): return string(bytes, from: start, before: limit)
    case UInt8(ascii: "["), UInt8(ascii: "{"): return container(bytes, from: start, before: limit)
    default: return word(bytes, from: start, before: limit)
    }
  }

  /// The byte after the number, `true`, `false` or `null` that begins at `start`.
  @inlinable
  @inline(__always)
  package static func word(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before limit: Int
  ) -> Int {
    var index = start
    while index < limit, !isSeparator(bytes[index]), bytes[index] | 0x20 != UInt8(ascii: "}") {
      index += 1
    }
    return index
  }

  /// The byte after the string that begins at `start`.
  @inlinable
  @inline(__always)
  package static func string(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before limit: Int
  ) -> Int {
    var hasEscapes = false
    return string(bytes, from: start, before: limit, &hasEscapes)
  }

  /// The byte after the string that begins at `start`, and whether it has escapes.
  @inlinable
  @inline(__always)
  package static func string(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before limit: Int,
    _ hasEscapes: inout Bool
  ) -> Int {
    guard let base = bytes.baseAddress else { return limit }
    var index = start + 1
    while index < limit {
      if index + 8 <= limit {
        let marks = JSONWord(base, at: index).quotesAndBackslashes
        if marks == 0 {
          index += 8
          continue
        }
        index += JSONWord.before(marks)
      }
      switch bytes[index] {
      case UInt8(ascii: "\""): return index + 1
      case UInt8(ascii: "\\"):
        hasEscapes = true
        index += 2
      default: index += 1
      }
    }
    return limit
  }

  /// The byte after the array or object that begins at `start`.
  @usableFromInline
  static func container(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before limit: Int
  ) -> Int {
    guard let base = bytes.baseAddress else { return limit }
    var index = start
    var depth = 0
    while index < limit {
      if index + 8 <= limit {
        let marks = JSONWord(base, at: index).structure
        if marks == 0 {
          index += 8
          continue
        }
        index += JSONWord.before(marks)
      }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = string(bytes, from: index, before: limit)
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        index += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        index += 1
        if depth == 0 { return index }
      default:
        index += 1
      }
    }
    return limit
  }

  @inlinable
  @inline(__always)
  package static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"): true
    default: false
    }
  }
}
