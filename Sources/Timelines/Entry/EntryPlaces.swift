import JSONCore

/// Finds the places of the values of an entry in one pass over its line.
///
/// This is a hot path for recorded entries, so it does not create slices for members, and recognizes
/// the form in which recorders write by its bytes.
///
/// Safe: the line was validated before, the buffer is valid during the pass, every index is checked
/// against its count, and `JSONSkip` never reads at or beyond the end.
struct EntryPlaces {
  /// The start offsets of the values of all keys but `seq` and `t`.
  private(set) var starts = SIMD16<UInt32>()

  /// Their end offsets; zero for a missing key.
  private(set) var ends = SIMD16<UInt32>()

  /// The value of `seq`, if it has only digits.
  private(set) var seq: Int64?

  /// The value of `t`, if it has only digits.
  private(set) var t: Int64?

  /// Whether the patches have the form in which recorders write them, and are valid. Other patches may
  /// also be valid.
  private(set) var isPatchPlain = false
  private(set) var areOutputsPlain = false

  /// The offset of the first line break, if any.
  private(set) var lineBreak: Int?

  init(of line: JSONSlice) {
    self = line.bytes.withUnsafeBufferPointer { EntryPlaces($0) }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    lineBreak = bytes.firstLineBreak
    let end = bytes.count - 1
    var index = 1
    while true {
      let start = JSONSkip.separators(bytes, from: index, before: end)
      guard start < end else { return }
      let afterKey = JSONSkip.string(bytes, from: start, before: end)
      let value = JSONSkip.separators(bytes, from: afterKey, before: end)
      guard afterKey - start >= 2, let key = EntryKey(bytes, inside: start + 1..<afterKey - 1)
      else {
        index = JSONSkip.value(bytes, from: value, before: end)
        continue
      }
      let plainEnd =
        key == .patch || key == .outputs
        ? Self.endOfPlainPatch(bytes, from: value, before: end) : nil
      index = plainEnd ?? JSONSkip.value(bytes, from: value, before: end)
      switch key {
      case .seq: seq = bytes.digits(value..<index)
      case .t: t = bytes.digits(value..<index)
      default:
        if key == .patch { isPatchPlain = plainEnd != nil }
        if key == .outputs { areOutputsPlain = plainEnd != nil }
        guard let place = key.place else { continue }
        starts[place] = UInt32(truncatingIfNeeded: value)
        ends[place] = UInt32(truncatingIfNeeded: index)
      }
    }
  }
}

extension EntryKey {
  /// The key with the text between the quotes; `nil` for unknown keys.
  fileprivate init?(_ bytes: UnsafeBufferPointer<UInt8>, inside range: Range<Int>) {
    guard let first = range.first else { return nil }
    let near: (key: EntryKey, text: StaticString)?
    switch (range.count, bytes[first]) {
    case (1, UInt8(ascii: "t")): near = (.t, "t")
    case (2, UInt8(ascii: "n")): near = (.ns, "ns")
    case (2, UInt8(ascii: "a")): near = (.at, "at")
    case (3, UInt8(ascii: "s")): near = (.seq, "seq")
    case (3, UInt8(ascii: "g")): near = (.gap, "gap")
    case (3, UInt8(ascii: "w")): near = (.was, "was")
    case (4, UInt8(ascii: "j")): near = (.jump, "jump")
    case (5, UInt8(ascii: "e")):
      near = bytes[first + 1] == UInt8(ascii: "v") ? (.event, "event") : (.error, "error")
    case (5, UInt8(ascii: "s")): near = (.state, "state")
    case (5, UInt8(ascii: "p")): near = (.patch, "patch")
    case (5, UInt8(ascii: "c")): near = (.cause, "cause")
    case (6, UInt8(ascii: "o")): near = (.origin, "origin")
    case (7, UInt8(ascii: "o")):
      near = bytes[first + 1] == UInt8(ascii: "u") ? (.outputs, "outputs") : (.omitted, "omitted")
    case (8, UInt8(ascii: "r")):
      near =
        bytes[first + 2] == UInt8(ascii: "s") ? (.restored, "restored") : (.redacted, "redacted")
    case (11, UInt8(ascii: "o")): near = (.outputState, "outputState")
    default: near = nil
    }
    if let near, bytes.has(near.text, at: first) {
      self = near.key
      return
    }
    // A key may have escapes, which is rare.
    guard bytes[range].contains(UInt8(ascii: "\\")) else { return nil }
    let quoted = Array(bytes[range.lowerBound - 1..<range.upperBound + 1])
    let text = JSONSlice(checkedBefore: quoted, at: quoted.indices).string
    guard let key = EntryKey.allCases.first(where: { $0.text == text }) else { return nil }
    self = key
  }
}

extension EntryPlaces {
  /// The offset after a valid patch in the form in which recorders write it.
  private static func endOfPlainPatch(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before end: Int
  ) -> Int? {
    guard start < end, bytes[start] == UInt8(ascii: "[") else { return nil }
    var index = start + 1
    while true {
      index = JSONSkip.separators(bytes, from: index, before: end)
      guard index < end else { return nil }
      if bytes[index] == UInt8(ascii: "]") { return index + 1 }
      guard let next = endOfOperation(bytes, from: index, before: end) else { return nil }
      index = next
    }
  }

  /// The offset after an operation without escapes.
  private static func endOfOperation(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, before end: Int
  ) -> Int? {
    var index = start
    func pass(_ text: StaticString) -> Bool {
      guard end - index >= text.utf8CodeUnitCount, bytes.has(text, at: index) else { return false }
      index += text.utf8CodeUnitCount
      return true
    }
    guard pass(#"{"op":""#) else { return nil }
    let isRemoval = pass("remove")
    guard isRemoval || pass("replace") || pass("add"), pass(#"","path":"#), index < end,
      bytes[index] == UInt8(ascii: "\"")
    else { return nil }
    let path = index + 1
    var hasEscapes = false
    index = JSONSkip.string(bytes, from: index, before: end, &hasEscapes)
    guard !hasEscapes, path < index else { return nil }
    let inside = path..<index - 1
    guard inside.isEmpty || bytes[path] == UInt8(ascii: "/"),
      !bytes[inside].contains(UInt8(ascii: "~"))
    else { return nil }
    if !isRemoval {
      guard pass(#","value":"#) else { return nil }
      index = JSONSkip.value(bytes, from: index, before: end)
    }
    return pass("}") ? index : nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether a text is at an offset, which must have room for it.
  @inline(__always)
  fileprivate func has(_ text: StaticString, at place: Int) -> Bool {
    for offset in 0..<text.utf8CodeUnitCount
    where self[place + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }

  /// The number at an offset, if it has at most 18 digits, which cannot overflow.
  @inline(__always)
  fileprivate func digits(_ range: Range<Int>) -> Int64? {
    guard !range.isEmpty, range.count <= 18 else { return nil }
    var value: Int64 = 0
    for index in range {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int64(digit)
    }
    return value
  }

  /// The first line feed or carriage return, which is between values in validated text.
  fileprivate var firstLineBreak: Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    func hasZero(_ word: UInt64) -> Bool { (word &- ones) & ~word & (ones << 7) != 0 }
    let raw = UnsafeRawBufferPointer(self)
    var index = 0
    while index + 8 <= count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if hasZero(word ^ ones &* 0x0A) || hasZero(word ^ ones &* 0x0D) { break }
      index += 8
    }
    return self[index...].firstIndex { $0 == 0x0A || $0 == 0x0D }
  }
}

extension JSONSlice {
  /// The offset of the first line feed or carriage return.
  var firstLineBreak: Int? { bytes.withUnsafeBufferPointer(\.firstLineBreak) }
}

extension JSONSlice {
  /// Whether the text is a nonnegative number with few digits. Other texts may also be valid.
  var isPlainCount: Bool {
    bytes.withUnsafeBufferPointer { $0.digits(0..<$0.count) != nil }
  }
}
