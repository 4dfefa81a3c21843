/// The keys of all objects that are open during a scan, so that a second one of the same name is
/// found.
///
/// Objects of a few members are compared pair by pair as they come; larger ones are sorted by hash
/// when they close, so that no choice of keys makes it slow.
///
/// Safe: ranges are those the scanner passed, inside the buffer that it was lent.
struct JSONKeySet {
  private var marks: [Mark] = []

  /// Up to so many keys a new one is compared with each before it.
  private static let comparedCount = 16

  private struct Mark {
    var hash: UInt64
    var range: Range<Int>
    /// The key as its escapes spell it; `nil` when it has none.
    var resolved: [UInt8]?
  }

  /// The number of keys noted.
  var count: Int { marks.count }

  /// Notes the key between the quotes at `range`; refuses one that its object, whose first key is
  /// number `first`, already has.
  @inline(__always)
  mutating func note(
    _ range: Range<Int>, hasEscapes: Bool, in bytes: UnsafeBufferPointer<UInt8>, from first: Int
  ) throws(JSONError) {
    let resolved = hasEscapes ? JSONEscapes.resolve(bytes, range) : nil
    let mark = Mark(
      hash: resolved.map { $0.withUnsafeBufferPointer { Self.hash($0, 0..<$0.count) } }
        ?? Self.hash(bytes, range), range: range, resolved: resolved)
    if marks.count - first < Self.comparedCount {
      for other in marks[first...] where other.hash == mark.hash {
        if Self.order(mark, other, in: bytes) == 0 { throw Self.error(mark, in: bytes) }
      }
    }
    marks.append(mark)
  }

  /// Refuses a key that stands twice in the object whose first key is number `first`; to be called
  /// when it closes.
  @inline(__always)
  mutating func check(from first: Int, in bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) {
    if marks.count - first > Self.comparedCount { try checkMany(from: first, in: bytes) }
  }

  /// Forgets the keys of the object whose first key is number `first`.
  @inline(__always)
  mutating func forget(from first: Int) {
    marks.removeLast(marks.count - first)
  }

  private mutating func checkMany(
    from first: Int, in bytes: UnsafeBufferPointer<UInt8>
  ) throws(JSONError) {
    marks[first...].sort { left, right in
      if left.hash != right.hash { return left.hash < right.hash }
      let order = Self.order(left, right, in: bytes)
      return order != 0 ? order < 0 : left.range.lowerBound < right.range.lowerBound
    }
    for index in marks.indices[first...].dropFirst()
    where marks[index].hash == marks[index - 1].hash
      && Self.order(marks[index], marks[index - 1], in: bytes) == 0
    {
      throw Self.error(marks[index], in: bytes)
    }
  }

  private static func error(_ mark: Mark, in bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
    let key = mark.resolved ?? Array(bytes[mark.range])
    return JSONError(
      .duplicateKey(String(decoding: key, as: UTF8.self)), at: mark.range.lowerBound - 1)
  }

  /// Negative, zero or positive as the first key comes before, equals or comes after the second.
  private static func order(
    _ left: Mark, _ right: Mark, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int {
    if left.resolved == nil, right.resolved == nil {
      return order(bytes[left.range], bytes[right.range])
    }
    return order(
      left.resolved ?? Array(bytes[left.range]), right.resolved ?? Array(bytes[right.range]))
  }

  private static func order<Bytes: Collection<UInt8>>(_ left: Bytes, _ right: Bytes) -> Int {
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  /// FNV-1a; collisions cost a comparison and nothing more.
  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    return hash
  }
}
