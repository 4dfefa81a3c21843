/// A value that is worth comparing before it is encoded.
///
/// Conforming types are the standard library's own collections of parts with a `ByteLayout`, and
/// long strings.
protocol LargeValue: Encodable {
  /// Its text has no fewer bytes than this.
  var leastByteCount: Int { get }

  /// The number of its elements or members; `nil` for a string.
  var partCount: Int? { get }

  /// Notes what changed since `old`, an earlier value in the same place, and returns by how many
  /// bytes the text has grown. `nil` when that cannot be told by comparing values.
  func noteDifference(
    from old: any LargeValue, nesting: Int, in difference: ValueDifference
  ) throws -> Int?
}

extension LargeValue {
  /// The storage it refers to.
  var storage: StorageIdentity { StorageIdentity(self) }

  /// Whether it has the very storage of `other`, so that nothing need be looked at.
  func isIdentical(to other: any LargeValue) -> Bool {
    type(of: self) == type(of: other) && storage == other.storage
  }
}

/// What a value is besides its storage: one word for a collection, two for a string.
///
/// While the old value is kept its storage cannot change, for whoever writes to it makes a copy
/// first. So the same words mean the same contents.
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

  /// The words as bytes.
  var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }
}

/// From here on a value is left out of the text and compared. Below, encoding it costs no more than
/// keeping it.
enum LargeValueLimit {
  /// Bytes of an array's elements.
  static let arrayBytes = 256
  /// Bytes of a string.
  static let stringBytes = 256
  /// Members of a dictionary, elements of a set.
  static let count = 16
}

extension EncodingEngine {
  /// The layout of a type, remembered.
  func layout<T>(of type: T.Type) -> ByteLayout? {
    if let known = layouts[ObjectIdentifier(type)] { return known }
    let layout = ByteLayout.of(type)
    layouts[ObjectIdentifier(type)] = .some(layout)
    return layout
  }

  /// Leaves an array out of the text when it is worth it and its elements can be compared.
  @inline(__always)
  func leaveOut<Element: Encodable>(_ array: [Element]) -> Bool {
    guard leavesGaps, array.count &* MemoryLayout<Element>.stride >= LargeValueLimit.arrayBytes,
      layout(of: Element.self) != nil
    else { return false }
    leaveGap(array)
    return true
  }

  /// Leaves a dictionary out whose keys are written as they are.
  func leaveOut<Key: Encodable, Value: Encodable>(_ dictionary: [Key: Value]) -> Bool {
    guard leavesGaps, dictionary.count >= LargeValueLimit.count,
      Key.self == String.self || Key.self == Int.self, layout(of: Value.self) != nil
    else { return false }
    leaveGap(dictionary)
    return true
  }

  /// Leaves a set out.
  func leaveOut<Element: Encodable>(_ set: Set<Element>) -> Bool {
    guard leavesGaps, set.count >= LargeValueLimit.count, layout(of: Element.self) != nil
    else { return false }
    leaveGap(set)
    return true
  }

  /// Writes a string, or leaves it out.
  @inline(__always)
  func writeOrLeaveOut(_ string: String) {
    if leavesGaps, string.utf8.count >= LargeValueLimit.stringBytes {
      leaveGap(string)
    } else {
      out.write(string)
    }
  }

  /// Leaves a value out of the text.
  func leaveGap(_ value: any LargeValue) {
    gaps.append(Skeleton.Gap(offset: out.count, value: value, nesting: nesting))
    out.append(Skeleton.mark)
  }

  /// The text of a value with gaps, when it stands inside that many arrays and objects.
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

  /// Does something during which no gaps are left, because the text is going to be sorted by its
  /// bytes or cut.
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

  func noteDifference(
    from old: any LargeValue, nesting: Int, in difference: ValueDifference
  ) throws -> Int? {
    guard let old = old as? String, utf8.elementsEqual(old.utf8) else { return nil }
    return 0
  }
}
