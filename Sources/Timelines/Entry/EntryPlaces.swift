import JSONCore

/// Where the values of an entry stand, found in one walk over its line.
///
/// Every entry that is recorded comes through here, so that no slice is made for a member, and what
/// recorders write is told by its bytes.
///
/// Safe: the line was checked before, the buffer is lent for the whole walk, every index is behind a
/// check against its count, and `JSONSkip` never reads at or beyond the end.
struct EntryPlaces {
  /// Where the values of all keys but `seq` and `t` begin, from the start of the line.
  private(set) var starts = SIMD16<UInt32>()

  /// Where they end; zero where there is none.
  private(set) var ends = SIMD16<UInt32>()

  /// The value of `seq`, where it is written in digits alone.
  private(set) var seq: Int64?

  /// The value of `t`, where it is written in digits alone.
  private(set) var t: Int64?

  /// Whether the patches are written as recorders write them, and keep every rule. Where they are
  /// not, that says nothing.
  private(set) var isPatchPlain = false
  private(set) var areOutputsPlain = false

  /// The first byte that breaks the line, if any does.
  private(set) var lineBreak: Int?

  /// Walks over an object.
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
  /// The key whose text stands between quotes; `nil` when it is none of an entry's.
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
    // A key may be written with escapes, which hardly anybody does.
    guard bytes[range].contains(UInt8(ascii: "\\")) else { return nil }
    let quoted = Array(bytes[range.lowerBound - 1..<range.upperBound + 1])
    let text = JSONSlice(checkedBefore: quoted, at: quoted.indices).string
    guard let key = EntryKey.allCases.first(where: { $0.text == text }) else { return nil }
    self = key
  }
}

extension EntryPlaces {
  /// The byte after a patch that is written as recorders write it, and keeps every rule.
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

  /// The byte after an operation that is written plainly.
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
  /// Whether a text stands at a place, which must have room for it.
  @inline(__always)
  fileprivate func has(_ text: StaticString, at place: Int) -> Bool {
    for offset in 0..<text.utf8CodeUnitCount
    where self[place + offset] != text.utf8Start[offset] {
      return false
    }
    return true
  }

  /// The number at a place, when it is written in at most 18 digits, which never overflow.
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

  /// The first line feed or carriage return. In text that was checked it stands between values.
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
  /// Whether it is a number from 0 on in few digits. Where it is not, that says nothing.
  var isPlainCount: Bool {
    bytes.withUnsafeBufferPointer { $0.digits(0..<$0.count) != nil }
  }
}
