/// A value that is large enough to compare before it is encoded.
///
/// Conforming types are the standard library's own collections of parts with a `ByteLayout`, and
/// long strings.
protocol LargeValue: Encodable {
  /// A lower bound of the bytes in its text.
  var leastByteCount: Int { get }

  /// The number of its elements or members; `nil` for a string.
  var partCount: Int? { get }

  /// Records what changed since `old`, an earlier value in the same place, and returns by how many
  /// bytes the text has grown; `nil` if comparing the values cannot determine that.
  func recordDifference(
    from old: any LargeValue, nesting: Int, in difference: ValueDifference
  ) throws -> Int?
}

extension LargeValue {
  var storage: StorageIdentity { StorageIdentity(self) }

  /// Whether both share the same storage, so that there is nothing to compare.
  func isIdentical(to other: any LargeValue) -> Bool {
    type(of: self) == type(of: other) && storage == other.storage
  }
}

/// The value's own words: one for a collection, two for a string.
///
/// While the old value is retained, its storage cannot change, because a write copies it first. So
/// the same words mean the same contents.
struct StorageIdentity: Hashable {
  private var words: (UInt64, UInt64) = (0, 0)

  init<Value>(_ value: Value) {
    precondition(MemoryLayout<Value>.size <= 16, "only strings and collections have an identity")
    // Safe: the value's words are read as numbers, inside the closures that lend them.
    withUnsafeBytes(of: value) { source in
      withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: source) }
    }
  }

  static func == (left: Self, right: Self) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }

  var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }
}

/// Values of this size and larger are omitted from the text and compared. Encoding a smaller value
/// costs no more than retaining it.
enum LargeValueLimit {
  /// Bytes of an array's elements.
  static let arrayBytes = 256
  /// Bytes of a string.
  static let stringBytes = 256
  /// Members of a dictionary, elements of a set.
  static let count = 16
}

extension EncodingEngine {
  /// The layout of a type, from the cache.
  func layout<T>(of type: T.Type) -> ByteLayout? {
    if let known = layouts[ObjectIdentifier(type)] { return known }
    let layout = ByteLayout.of(type)
    layouts[ObjectIdentifier(type)] = .some(layout)
    return layout
  }

  /// Omits an array from the text if it is large and its elements can be compared; returns whether
  /// it did.
  @inline(__always)
  func omitIfLarge<Element: Encodable>(_ array: [Element]) -> Bool {
    guard leavesGaps, array.count &* MemoryLayout<Element>.stride >= LargeValueLimit.arrayBytes,
      layout(of: Element.self) != nil
    else { return false }
    omit(array)
    return true
  }

  /// Omits a large dictionary whose keys are written unchanged.
  func omitIfLarge<Key: Encodable, Value: Encodable>(_ dictionary: [Key: Value]) -> Bool {
    guard leavesGaps, dictionary.count >= LargeValueLimit.count,
      Key.self == String.self || Key.self == Int.self, layout(of: Value.self) != nil
    else { return false }
    omit(dictionary)
    return true
  }

  func omitIfLarge<Element: Encodable>(_ set: Set<Element>) -> Bool {
    guard leavesGaps, set.count >= LargeValueLimit.count, layout(of: Element.self) != nil
    else { return false }
    omit(set)
    return true
  }

  @inline(__always)
  func writeOrOmit(_ string: String) {
    if leavesGaps, string.utf8.count >= LargeValueLimit.stringBytes {
      omit(string)
    } else {
      out.write(string)
    }
  }

  func omit(_ value: any LargeValue) {
    gaps.append(Skeleton.Gap(offset: out.count, value: value, nesting: nesting))
    out.append(Skeleton.mark)
  }

  /// The text, with gaps, of a value that is inside that many arrays and objects.
  ///
  /// The engine must have nothing open.
  func skeleton(
    nesting: Int, leavingGaps: Bool = true, _ encode: (EncodingEngine) throws -> Void
  ) throws -> Skeleton {
    reset()
    self.nesting = nesting
    leavesGaps = leavingGaps
    defer {
      leavesGaps = false
      gaps = []
    }
    try encode(self)
    return Skeleton(bytes: out.bytes(), gaps: gaps)
  }

  /// The text of a value without gaps.
  func wholeText(of value: any LargeValue, nesting: Int) throws -> [UInt8] {
    reset()
    self.nesting = nesting
    try encode(value)
    return out.bytes()
  }

  /// Runs `body` without omitting values, because its text will be sorted by its bytes or
  /// truncated.
  func withoutGaps<R>(_ body: () throws -> R) rethrows -> R {
    let before = leavesGaps
    leavesGaps = false
    defer { leavesGaps = before }
    return try body()
  }
}

extension String: LargeValue {
  var leastByteCount: Int { utf8.count + 2 }
  var partCount: Int? { nil }

  func recordDifference(
    from old: any LargeValue, nesting: Int, in difference: ValueDifference
  ) throws -> Int? {
    guard let old = old as? String, utf8.elementsEqual(old.utf8) else { return nil }
    return 0
  }
}
