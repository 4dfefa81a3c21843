internal import JSONCore

/// The members of an object in stored text, found without copying or parsing values.
///
/// Indexing and searching read every entry of a recording; a slice for each value would cost more
/// than everything else they do.
///
/// Safe: the text was checked before it was stored, the buffer is lent for the whole walk, and
/// `JSONSkip` never reads at or beyond the end.
struct LineMembers {
  /// A member: its key without the quotes, and its value.
  struct Member {
    let key: Range<Int>
    let value: Range<Int>
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var index: Int
  private let end: Int

  /// The members of the object at `range`; empty if it is not an object.
  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>, object range: Range<Int>) {
    self.bytes = bytes
    let isObject = !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "{")
    index = isObject ? range.lowerBound + 1 : range.upperBound
    end = isObject ? range.upperBound - 1 : range.upperBound
  }

  /// The next member, or `nil` at the end.
  @inline(__always)
  mutating func next() -> Member? {
    let start = JSONSkip.separators(bytes, from: index, before: end)
    guard start < end else { return nil }
    let afterKey = JSONSkip.string(bytes, from: start, before: end)
    let value = JSONSkip.separators(bytes, from: afterKey, before: end)
    index = JSONSkip.value(bytes, from: value, before: end)
    guard afterKey - start >= 2, value < index else { return nil }
    return Member(key: start + 1..<afterKey - 1, value: value..<index)
  }
}

/// The elements of an array in stored text, like ``LineMembers`` for an object.
struct LineElements {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index: Int
  private let end: Int

  /// The elements of the array at `range`; empty if it is not an array.
  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>, array range: Range<Int>) {
    self.bytes = bytes
    let isArray = !range.isEmpty && bytes[range.lowerBound] == UInt8(ascii: "[")
    index = isArray ? range.lowerBound + 1 : range.upperBound
    end = isArray ? range.upperBound - 1 : range.upperBound
  }

  /// The next element, or `nil` at the end.
  @inline(__always)
  mutating func next() -> Range<Int>? {
    let start = JSONSkip.separators(bytes, from: index, before: end)
    index = JSONSkip.value(bytes, from: start, before: end)
    return start < index ? start..<index : nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes are at a place.
  @inline(__always)
  func has(_ text: StaticString, at range: Range<Int>) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    let start = text.utf8Start
    for offset in 0..<range.count where self[range.lowerBound + offset] != start[offset] {
      return false
    }
    return true
  }

  /// Whether these bytes are at a place.
  @inline(__always)
  func has(_ text: [UInt8], at range: Range<Int>) -> Bool {
    guard range.count == text.count else { return false }
    for offset in 0..<range.count where self[range.lowerBound + offset] != text[offset] {
      return false
    }
    return true
  }

  /// Whether there is a backslash in a range: then the bytes between quotes are not the text
  /// itself.
  @inline(__always)
  func hasEscape(_ range: Range<Int>) -> Bool {
    for index in range where self[index] == UInt8(ascii: "\\") { return true }
    return false
  }

  /// The text of the string whose content is in a range, with escapes resolved.
  func text(inside range: Range<Int>) -> String {
    guard hasEscape(range) else {
      return String(decoding: UnsafeBufferPointer(rebasing: self[range]), as: UTF8.self)
    }
    let quoted = Array(self[range.lowerBound - 1..<range.upperBound + 1])
    return JSONSlice(checkedBefore: quoted, at: quoted.indices).string ?? ""
  }

  /// The integer at a place, if it is a number that fits into 64 bits.
  func integer(at range: Range<Int>) -> Int64? {
    // Eighteen digits never overflow.
    guard !range.isEmpty else { return nil }
    if range.count <= 18 {
      var value: Int64 = 0
      for index in range {
        let digit = self[index] &- UInt8(ascii: "0")
        guard digit <= 9 else { return spelledInteger(at: range) }
        value = value * 10 + Int64(digit)
      }
      return value
    }
    return spelledInteger(at: range)
  }

  /// An integer in another notation: `-3`, `1e3`, `2.0`.
  private func spelledInteger(at range: Range<Int>) -> Int64? {
    let text = Array(self[range])
    return JSONSlice(checkedBefore: text, at: text.indices).int
  }
}
