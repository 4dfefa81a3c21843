/// A growing buffer of bytes, to which all JSON text is written.
///
/// It writes numbers and strings in the canonical form. The caller writes commas, colons, and
/// brackets.
///
/// ```
/// var writer = JSONWriter()
/// writer.append(UInt8(ascii: "["))
/// writer.write("héllo\n")
/// writer.append(UInt8(ascii: "]"))
/// writer.bytes()  // ["héllo\n"]
/// ```
package struct JSONWriter: ~Copyable {
  // A raw buffer instead of an array: every byte of every recorded state passes through here, and
  // the array's uniqueness and bounds checks were the larger half of the cost. Safe because the
  // memory has this one owner (the type is not copyable), `reserve` precedes every store, and
  // nothing reads beyond `count`.
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int

  /// The number of bytes written.
  package private(set) var count: Int

  /// Makes an empty writer with space for `capacity` bytes.
  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
    count = 0
  }

  deinit {
    base.deallocate()
  }

  /// Reserves space for `extra` more bytes.
  @inline(__always)
  package mutating func reserve(_ extra: Int) {
    if capacity - count < extra { grow(by: extra) }
  }

  @inline(never)
  private mutating func grow(by extra: Int) {
    relocate(to: max(capacity * 2, count + extra))
  }

  private mutating func relocate(to newCapacity: Int) {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: newCapacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
    capacity = newCapacity
  }

  /// The position of the next byte. Valid for the bytes that were reserved.
  @inline(__always)
  var cursor: UnsafeMutablePointer<UInt8> { base + count }

  /// Adds `written` bytes that were stored at `cursor`.
  @inline(__always)
  mutating func advance(by written: Int) {
    count += written
  }

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    base[count] = byte
    count += 1
  }

  /// Appends bytes as they are.
  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (base + count).update(from: source, count: bytes.count)
    count += bytes.count
  }

  /// Appends bytes as they are.
  package mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends bytes as they are.
  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends the literal's UTF-8 as it is, without quotes.
  @inline(__always)
  package mutating func append(literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends a copy of the bytes in `range` of this writer.
  mutating func append(ownRange range: Range<Int>) {
    reserve(range.count)
    (base + count).update(from: base + range.lowerBound, count: range.count)
    count += range.count
  }

  /// Moves the bytes from `source` on to `start`, and truncates the rest.
  mutating func moveTail(from source: Int, to start: Int) {
    let length = count - source
    (base + start).update(from: base + source, count: length)
    count = start + length
  }

  /// Removes everything after the first `length` bytes.
  @inline(__always)
  package mutating func truncate(to length: Int) {
    precondition(length <= count, "a writer cannot be truncated to more than it holds")
    count = length
  }

  /// Ends an array or object whose members each end with a comma.
  ///
  /// The last comma becomes the bracket, so that writing members needs no "first" flag.
  @inline(__always)
  package mutating func close(_ bracket: UInt8) {
    if count > 0, base[count - 1] == UInt8(ascii: ",") {
      base[count - 1] = bracket
    } else {
      append(bracket)
    }
  }

  /// The byte at `index`, which must be less than `count`.
  package subscript(index: Int) -> UInt8 {
    @inline(__always) get {
      precondition(index < count, "a byte that was not written cannot be read")
      return base[index]
    }
  }

  /// Removes everything, and frees the memory if it has more than `keeping` bytes.
  mutating func reset(keeping: Int) {
    count = 0
    if capacity > keeping { relocate(to: keeping) }
  }

  /// Lends the bytes written so far.
  @inline(__always)
  package func withBytes<R, E: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try body(UnsafeBufferPointer(start: base, count: count))
  }

  /// A copy of the bytes from `start` on.
  package func bytes(from start: Int = 0) -> [UInt8] {
    Array(UnsafeBufferPointer(start: base + start, count: count - start))
  }
}
