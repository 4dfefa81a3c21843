/// A value that is worth comparing before it is encoded.
///
/// Conforming types are the standard library's own collections of parts with a `ByteLayout`, and
/// long strings.
protocol LargeValue {
  /// Whether it is the very storage of `other`, so that nothing need be looked at.
  func isIdentical(to other: any LargeValue) -> Bool

  /// Something that is equal for identical values, for finding them among others.
  var identity: [UInt8] { get }

  /// Writes the whole value where the engine's bytes end.
  func encodeWhole(to engine: EncodingEngine) throws

  /// Its text has no fewer bytes than this.
  var leastByteCount: Int { get }

  /// Notes what changed since `old`, an earlier value in the same place, and returns by how many
  /// bytes the text has grown. `nil` when that cannot be told by comparing values.
  func noteDifference(
    from old: any LargeValue, nesting: Int, in difference: ValueDifference
  ) throws -> Int?
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
    try value.encodeWhole(to: self)
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
  // Safe: a string is two words, which are compared as such. The same two words mean the same
  // storage and the same length, and the storage cannot change while the old string is kept.
  private var words: (UInt64, UInt64) { unsafeBitCast(self, to: (UInt64, UInt64).self) }

  func isIdentical(to other: any LargeValue) -> Bool {
    guard let other = other as? String else { return false }
    return words == other.words
  }

  var identity: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

  func encodeWhole(to engine: EncodingEngine) throws { engine.out.write(self) }

  var leastByteCount: Int { utf8.count + 2 }

  func noteDifference(
    from old: any LargeValue, nesting: Int, in difference: ValueDifference
  ) throws -> Int? {
    guard let old = old as? String, utf8.elementsEqual(old.utf8) else { return nil }
    return 0
  }
}
