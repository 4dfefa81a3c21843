/// A set of fingerprints: a hash table without pointers.
///
/// ```
/// slots: [ 0 | 8f31… | 0 | 0 | 1c07… | 99ab… | 0 | … ]   0: empty; a fingerprint is at the first
///                                                          free slot from its own remainder on
/// ```
/// It takes 11 to 23 bytes for each of them; a `Set` takes twice as much, and more while it grows.
package struct FingerprintSet: Sendable {
  private var slots: [UInt64]
  package private(set) var count = 0

  /// Of eight slots, at most six are in use.
  private static let (full, of) = (6, 8)

  package init() { slots = Array(repeating: 0, count: 1_024) }

  /// Adds a fingerprint; returns whether it is new.
  package mutating func insert(_ fingerprint: UInt64) -> Bool {
    if count >= slots.count / Self.of * Self.full { grow() }
    guard Self.insert(Self.stored(fingerprint), into: &slots) else { return false }
    count += 1
    return true
  }

  private mutating func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    for value in slots where value != 0 { _ = Self.insert(value, into: &larger) }
    slots = larger
  }

  private static func insert(_ value: UInt64, into slots: inout [UInt64]) -> Bool {
    var index = start(value, slots.count)
    while slots[index] != 0 {
      if slots[index] == value { return false }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = value
    return true
  }

  /// The low bits of FNV-1a depend on the last bytes more than on the first ones.
  static func start(_ value: UInt64, _ count: Int) -> Int {
    Int(truncatingIfNeeded: ((value ^ (value >> 29)) &* 0x9E37_79B9_7F4A_7C15) >> 20) & (count - 1)
  }

  /// Zero means an empty slot.
  private static func stored(_ fingerprint: UInt64) -> UInt64 { max(fingerprint, 1) }
}
