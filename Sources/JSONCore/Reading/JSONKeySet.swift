/// The keys of all objects that are open during a scan, to find duplicates.
///
/// The keys of small objects are compared pairwise as they arrive; those of larger ones are sorted
/// by hash when the object closes, so that no choice of keys makes it slow.
///
/// Safe: ranges are those the scanner passed, inside the buffer that it was lent.
struct JSONKeySet {
  private var marks: [Mark] = []

  /// Up to this many keys, a new one is compared with each of the others.
  private static let comparedCount = 16

  /// A key's hash and place; plain numbers, so that thousands cost no reference counting.
  private struct Mark {
    var hash: UInt64
    var start: Int
    var end: Int
    var hasEscapes: Bool
  }

  /// The number of keys.
  var count: Int { marks.count }

  /// Inserts the key between the quotes at `range`; throws if its object, whose first key is number
  /// `first`, already has it.
  @inline(__always)
  mutating func insert(
    _ range: Range<Int>, hasEscapes: Bool, in bytes: UnsafeBufferPointer<UInt8>, from first: Int
  ) throws(JSONError) {
    let hash =
      hasEscapes
      ? JSONEscapes.resolve(bytes, range).withUnsafeBufferPointer { Self.hash($0, 0..<$0.count) }
      : Self.hash(bytes, range)
    if marks.count - first < Self.comparedCount {
      for index in first..<marks.count where marks[index].hash == hash {
        let mark = Mark(
          hash: hash, start: range.lowerBound, end: range.upperBound, hasEscapes: hasEscapes)
        if Self.order(mark, marks[index], in: bytes) == 0 { throw Self.error(mark, in: bytes) }
      }
    }
    marks.append(
      Mark(hash: hash, start: range.lowerBound, end: range.upperBound, hasEscapes: hasEscapes))
  }

  /// Throws if a key occurs twice in the object whose first key is number `first`; called when the
  /// object closes.
  @inline(__always)
  mutating func check(from first: Int, in bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    if marks.count - first > Self.comparedCount { try checkMany(from: first, in: bytes) }
  }

  /// Removes the keys of the object whose first key is number `first`.
  @inline(__always)
  mutating func removeAll(from first: Int) {
    marks.removeLast(marks.count - first)
  }

  @inline(never)
  private mutating func checkMany(
    from first: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) {
    marks[first...].sort { left, right in
      if left.hash != right.hash { return left.hash < right.hash }
      let order = Self.order(left, right, in: bytes)
      return order != 0 ? order < 0 : left.start < right.start
    }
    // If several keys occur twice, report the duplicate that comes first in the text.
    var second: Mark?
    for index in first + 1..<marks.count
    where marks[index].hash == marks[index - 1].hash
      && Self.order(marks[index], marks[index - 1], in: bytes) == 0
      && marks[index].start < second?.start ?? .max
    {
      second = marks[index]
    }
    if let second { throw Self.error(second, in: bytes) }
  }

  private static func error(_ mark: Mark, in bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
    let key = String(decoding: resolved(mark, in: bytes), as: UTF8.self)
    return JSONError(.duplicateKey(key), at: mark.start - 1)
  }

  /// Negative, zero, or positive if the first key sorts before, equals, or sorts after the second.
  private static func order(
    _ left: Mark, _ right: Mark, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int {
    if left.hasEscapes || right.hasEscapes {
      return order(resolved(left, in: bytes), resolved(right, in: bytes))
    }
    return order(bytes[left.start..<left.end], bytes[right.start..<right.end])
  }

  private static func order<Bytes: Collection<UInt8>>(_ left: Bytes, _ right: Bytes) -> Int {
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  private static func resolved(_ mark: Mark, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    JSONEscapes.resolve(bytes, mark.start..<mark.end)
  }

  /// Mixes eight bytes at a time; a collision only costs a comparison.
  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    // An odd number with its bits spread, 2^64 divided by the golden ratio.
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var hash = UInt64(truncatingIfNeeded: range.count) &* factor
    var index = range.lowerBound
    while index + 8 <= range.upperBound {
      hash = (hash ^ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* factor
      hash ^= hash >> 29
      index += 8
    }
    var rest: UInt64 = 0
    while index < range.upperBound {
      rest = rest << 8 | UInt64(raw[index])
      index += 1
    }
    hash = (hash ^ rest) &* factor
    return hash ^ hash >> 29
  }
}
