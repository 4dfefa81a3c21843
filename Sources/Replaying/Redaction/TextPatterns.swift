/// Searches for many byte strings at once.
///
/// The patterns are sorted. A text is read once. Where the next four bytes may begin a pattern,
/// according to a bit in `starts`, a binary search finds the longest pattern. So the cost of a search
/// hardly depends on the number of patterns.
///
/// ```
/// storage  s e c r e t 4 0 7 1 2 2 s e c o n d …
/// sorted   (6,6) 407122   (12,6) second   (0,6) secret
/// starts   one bit for each hash of the first four bytes: 4071, seco, secr
/// ```
struct TextPatterns: Sendable {
  /// The limits of all patterns together, so that a process that keeps hiding new texts does not grow
  /// without bound.
  struct Limits: Sendable {
    var count = 1 << 16
    var bytes = 1 << 22
    /// The maximum length of one pattern.
    var length = 1 << 16
  }

  /// The length of the prefix that identifies a pattern; no pattern is shorter.
  static let minimumLength = 4

  private struct Place {
    var start: Int32
    var count: Int32
  }

  private let limits: Limits
  private var storage: [UInt8] = []
  private var sorted: [Place] = []
  private var starts: [UInt64] = []

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  var isEmpty: Bool { sorted.isEmpty }
  var count: Int { sorted.count }

  /// The result of adding a pattern.
  enum Insertion { case inserted, known, full }

  /// Adds a pattern.
  ///
  /// - Precondition: The pattern has at least `minimumLength` bytes.
  mutating func insert(_ pattern: [UInt8]) -> Insertion {
    precondition(pattern.count >= Self.minimumLength, "a pattern needs at least four bytes")
    var work = 0
    let place = upperBound(of: pattern, 0, pattern.count, &work)
    if place > 0, isEqual(sorted[place - 1], pattern) { return .known }
    guard pattern.count <= limits.length, sorted.count < limits.count,
      storage.count + pattern.count <= limits.bytes
    else { return .full }
    sorted.insert(Place(start: Int32(storage.count), count: Int32(pattern.count)), at: place)
    storage += pattern
    markStart(of: pattern)
    return .inserted
  }

  /// The merged ranges of a text that patterns cover; `nil` if that takes too much work, which only
  /// malicious texts do.
  func ranges(in text: [UInt8], ofAtLeast minimum: Int = 0) -> [Range<Int>]? {
    guard !sorted.isEmpty, text.count >= Self.minimumLength else { return [] }
    var found: [Range<Int>] = []
    // Normal texts take a few comparisons per match.
    var work = -(1 << 20) - 32 * text.count
    var gram = UInt32(text[0]) << 16 | UInt32(text[1]) << 8 | UInt32(text[2])
    for start in 0...text.count - Self.minimumLength {
      gram = gram << 8 | UInt32(text[start + 3])
      guard mayStart(gram), let length = longestMatch(in: text, at: start, &work),
        length >= minimum
      else {
        if work > 0 { return nil }
        continue
      }
      if let last = found.last, last.upperBound >= start {
        found[found.count - 1] = last.lowerBound..<max(last.upperBound, start + length)
      } else {
        found.append(start..<start + length)
      }
    }
    return found
  }

  /// The length of the longest pattern at an offset of a text.
  private func longestMatch(in text: [UInt8], at start: Int, _ work: inout Int) -> Int? {
    var end = text.count
    while end - start >= Self.minimumLength {
      // Every pattern between a prefix of the text and the text itself also has that prefix.
      let place = upperBound(of: text, start, end, &work)
      guard place > 0, work <= 0 else { return nil }
      let candidate = sorted[place - 1]
      let common = commonLength(candidate, text, start, end)
      work += common + 1
      if common == Int(candidate.count) { return common }
      end = start + common
    }
    return nil
  }

  /// The number of patterns that are not greater than a part of a text.
  private func upperBound(
    of text: [UInt8], _ start: Int, _ end: Int, _ work: inout Int
  ) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      let pattern = sorted[middle]
      let common = commonLength(pattern, text, start, end)
      work += common + 1
      let isGreater: Bool
      if common == Int(pattern.count) {
        isGreater = false
      } else {
        isGreater =
          start + common == end
          || storage[Int(pattern.start) + common] > text[start + common]
      }
      if isGreater { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func commonLength(_ pattern: Place, _ text: [UInt8], _ start: Int, _ end: Int) -> Int {
    let limit = min(Int(pattern.count), end - start)
    let from = Int(pattern.start)
    var common = 0
    while common < limit, storage[from + common] == text[start + common] { common += 1 }
    return common
  }

  private func isEqual(_ place: Place, _ pattern: [UInt8]) -> Bool {
    Int(place.count) == pattern.count
      && commonLength(place, pattern, 0, pattern.count) == pattern.count
  }

  // MARK: Beginnings

  private func mayStart(_ gram: UInt32) -> Bool {
    let bit = Self.bit(of: gram, among: starts.count * 64)
    return starts[bit >> 6] & (1 << UInt64(bit & 63)) != 0
  }

  private mutating func markStart(of pattern: [UInt8]) {
    // Sparse, so that a text without matches costs one bit test per byte.
    if starts.count * 64 < 32 * sorted.count || starts.isEmpty {
      starts = Array(repeating: 0, count: max(64, starts.count * 4))
      for place in sorted { mark(storage[Int(place.start)..<Int(place.start) + 4]) }
    } else {
      mark(pattern[0..<4])
    }
  }

  private mutating func mark(_ bytes: ArraySlice<UInt8>) {
    let gram = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let bit = Self.bit(of: gram, among: starts.count * 64)
    starts[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  /// The bit of a hash of four bytes. `count` is a power of two.
  ///
  /// The upper half of the product depends on all four bytes; its lower bits only on the last ones.
  static func bit(of gram: UInt32, among count: Int) -> Int {
    let product = UInt64(gram) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> 32) & (count - 1)
  }
}
