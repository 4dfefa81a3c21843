/// Fingerprints by keys that are hashes themselves, in a hash table without pointers.
///
/// ```
/// slots: [ 0 | 0 | 8f31… | 1c07… | 0 | 0 | … ]   pairs of a key and its fingerprint; key 0: empty
/// ```
/// A full table begins again, because what was added last is looked up most.
package struct FingerprintMap: Sendable {
  private var keys: [UInt64]
  private var values: [UInt64]
  private let limit: Int
  package private(set) var count = 0

  /// Of eight slots, at most six are in use.
  private static let (full, of) = (6, 8)
  private static let smallest = 1_024

  /// - Parameter limit: the maximum number of keys; one takes 21 to 43 bytes.
  package init(limit: Int) {
    self.limit = limit
    (keys, values) = ([], [])
    removeAll()
  }

  package mutating func removeAll() {
    keys = Array(repeating: 0, count: Self.smallest)
    values = keys
    count = 0
  }

  package subscript(key: UInt64) -> UInt64? {
    let place = Self.place(of: max(key, 1), in: keys)
    return keys[place] == 0 ? nil : values[place]
  }

  /// Sets the fingerprint of a key.
  package mutating func insert(_ fingerprint: UInt64, for key: UInt64) {
    if count >= limit { removeAll() }
    if count >= keys.count / Self.of * Self.full { grow() }
    let place = Self.place(of: max(key, 1), in: keys)
    if keys[place] == 0 { count += 1 }
    (keys[place], values[place]) = (max(key, 1), fingerprint)
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    keys = Array(repeating: 0, count: oldKeys.count * 2)
    values = keys
    for (key, value) in zip(oldKeys, oldValues) where key != 0 {
      let place = Self.place(of: key, in: keys)
      (keys[place], values[place]) = (key, value)
    }
  }

  /// The slot at which the search for a key starts.
  static func start(_ key: UInt64, _ count: Int) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 20) & (count - 1)
  }

  /// The slot of a key, or the free one where it belongs.
  private static func place(of key: UInt64, in keys: [UInt64]) -> Int {
    var place = start(key, keys.count)
    while keys[place] != 0, keys[place] != key { place = (place + 1) & (keys.count - 1) }
    return place
  }
}
