/// The small parts of a value that was encoded, and where their texts are.
///
/// If the next value has the same bytes in a part's place, the part's text is copied instead of
/// calling `encode(to:)` again. What is written is the same, only faster; the tests compare it with
/// an encoding of the whole value.
///
///     struct Screen { var user: User; var page: Int; var filters: [String: Bool] }
///
///     text     {"user":{"name":"Zoë"},"page":3,"filters":{"bus":true}}
///     parts           [0: User      ]                  [1: Dict.   ]
///
/// Parts are found by their number: the parts of two values that follow each other are mostly the
/// same types in the same order. If not, a part does not match, and is encoded.
struct EncodedParts {
  /// A part, with all that its text depends on.
  struct Part {
    /// The value that was encoded; `nil` if it is not kept.
    var value: KeptValue?
    let type: ObjectIdentifier
    let place: Place
    /// Where its text is.
    var text: Range<Int>
    /// Whether values of the type can be compared by their bytes.
    let isComparable: Bool
  }

  /// How deep a part is, because limits apply to that.
  struct Place: Equatable {
    let level: Int
    let nesting: Int
  }

  /// The largest part in bytes of memory. The parts of larger values are compared themselves, so
  /// that one change does not encode all of it.
  static let maximumSize = 128
  /// The number of parts that are found again, as each takes memory.
  static let maximumCount = 256

  /// The text of the previous value, with its parts.
  private var oldText: [UInt8] = []
  private var old: [Part] = []
  private(set) var new: [Part] = []
  /// Whether values are parts; not inside of other parts, and where texts move after encoding.
  private(set) var isActive = false

  var count: Int { new.count }

  /// Begins a value that follows another one.
  mutating func begin(after previous: Skeleton?) {
    (oldText, old) = (previous?.bytes ?? [], previous?.parts ?? [])
    new = []
    new.reserveCapacity(old.count)
    isActive = true
  }

  mutating func end() -> [Part] {
    let parts = new
    self = EncodedParts()
    return parts
  }

  mutating func suspend() -> Bool {
    defer { isActive = false }
    return isActive
  }

  mutating func resume(_ wasActive: Bool) { isActive = wasActive }

  /// Removes the parts of a value that threw.
  mutating func truncate(to count: Int) {
    if new.count > count { new.removeSubrange(count...) }
  }

  /// The part of the previous value with the number of the next part, if it could be the same.
  func counterpart(of type: ObjectIdentifier, at place: Place) -> Part? {
    guard new.count < old.count else { return nil }
    let part = old[new.count]
    return part.type == type && part.place == place ? part : nil
  }

  mutating func append(_ part: Part) { new.append(part) }

  /// Copies the text of a part, and keeps the part.
  mutating func reuse(_ part: Part, in out: inout JSONWriter) {
    var part = part
    let start = out.count
    out.append(oldText[part.text])
    part.text = start..<out.count
    new.append(part)
  }
}

/// A copy of a value. While it exists, the storage that the value refers to cannot change.
// Safe: `@unchecked` because the value is never changed, and is made of scalars and of collections
// of the standard library, which are Sendable (see `ByteLayout`).
class KeptValue: @unchecked Sendable {
  private let layout: ByteLayout
  private let bytes: UnsafeRawPointer
  /// Whether the value fills its stride, so that it can be read in words to its end.
  private let isWhole: Bool

  fileprivate init(_ layout: ByteLayout, _ bytes: UnsafeRawPointer, isWhole: Bool) {
    (self.layout, self.bytes, self.isWhole) = (layout, bytes, isWhole)
  }

  /// Whether a value of the same type, whose address is lent, has the same bytes.
  func isSame(_ other: UnsafeRawPointer) -> Bool {
    isWhole ? layout.isSame(bytes, other) : layout.isSameByBytes(bytes, other)
  }
}

// Safe: for the reason given above.
private final class KeptCopy<Value>: KeptValue, @unchecked Sendable {
  private let place: UnsafeMutablePointer<Value>

  init(_ value: Value, _ layout: ByteLayout) {
    place = .allocate(capacity: 1)
    place.initialize(to: value)
    super.init(
      layout, UnsafeRawPointer(place),
      isWhole: MemoryLayout<Value>.size == MemoryLayout<Value>.stride)
  }

  deinit {
    place.deinitialize(count: 1)
    place.deallocate()
  }
}

extension EncodingEngine {
  /// Encodes a value with `encode`, or copies its text if the previous value has the same part.
  @inline(__always)
  func encodePart<Value>(_ value: Value, _ encode: () throws -> Void) throws {
    // The root is not a part: hardly any step leaves all of it as it was.
    guard parts.isActive, leavesGaps, top > 0, parts.count < EncodedParts.maximumCount,
      MemoryLayout<Value>.size <= EncodedParts.maximumSize
    else { return try encode() }
    if !copyPart(value) { try encodeNewPart(value, encode) }
  }

  /// Copies the text of a value that has not changed; returns whether it did.
  // Safe: the address of `value` is lent for the comparison, whose other side has the same type.
  private func copyPart<Value>(_ value: Value) -> Bool {
    let place = EncodedParts.Place(level: top, nesting: nesting)
    guard let part = parts.counterpart(of: ObjectIdentifier(Value.self), at: place),
      let kept = part.value, withUnsafePointer(to: value, { kept.isSame($0) })
    else { return false }
    parts.reuse(part, in: &out)
    return true
  }

  @inline(never)
  private func encodeNewPart<Value>(_ value: Value, _ encode: () throws -> Void) throws {
    let type = ObjectIdentifier(Value.self)
    let place = EncodedParts.Place(level: top, nesting: nesting)
    let former = parts.counterpart(of: type, at: place)
    let (start, firstGap) = (out.count, gaps.count)
    let wasActive = parts.suspend()
    defer { parts.resume(wasActive) }
    try encode()
    let isComparable =
      gaps.count == firstGap && (former?.isComparable ?? (layout(of: Value.self) != nil))
    // What has just changed may change in each step, so it is kept only if it stays for one.
    let kept = isComparable && former?.value == nil ? keep(value) : nil
    parts.append(
      EncodedParts.Part(
        value: kept, type: type, place: place, text: start..<out.count, isComparable: isComparable))
  }

  private func keep<Value>(_ value: Value) -> KeptValue? {
    layout(of: Value.self).map { KeptCopy(value, $0) }
  }

  /// Runs `body`, which moves the texts that it encodes: they are not found again as parts.
  func withoutParts<R>(_ body: () throws -> R) rethrows -> R {
    let wasActive = parts.suspend()
    defer { parts.resume(wasActive) }
    return try body()
  }
}
