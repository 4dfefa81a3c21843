/// The keys of the open objects, as hashes, to detect duplicates.
///
/// The hashes have 64 bits; an object with two keys that share one is encoded as a tree, which
/// compares keys.
struct MemberKeys {
  // Safe: a stack of trivial values that only this type touches, always within `count`. Never
  // freed, like its engine. An array's checks took a twentieth of the time.
  private var hashes: UnsafeMutablePointer<UInt64>
  private var capacity = 64

  /// The number of hashes on the stack.
  private(set) var count = 0

  /// The hashes of each large object as a set, by the index of its first hash.
  private var wide: [Int: Set<UInt64>] = [:]

  /// Up to this count, walking over the hashes is faster than a set.
  private static let walkedCount = 32

  init() {
    hashes = .allocate(capacity: capacity)
  }

  /// Inserts a key of the object whose first key is at `base`. Returns false if it already exists.
  @inline(__always)
  mutating func insert(_ hash: UInt64, base: Int) -> Bool {
    if count &- base >= Self.walkedCount { return insertWide(hash, base: base) }
    var index = base
    while index < count {
      if hashes[index] == hash { return false }
      index &+= 1
    }
    push(hash)
    return true
  }

  private mutating func insertWide(_ hash: UInt64, base: Int) -> Bool {
    let isNew =
      wide[base, default: Set(UnsafeBufferPointer(start: hashes + base, count: count - base))]
      .insert(hash).inserted
    if isNew { push(hash) }
    return isNew
  }

  @inline(__always)
  private mutating func push(_ hash: UInt64) {
    if count == capacity { grow() }
    hashes[count] = hash
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
    larger.update(from: hashes, count: count)
    hashes.deallocate()
    hashes = larger
    capacity *= 2
  }

  /// Removes the hashes above that height.
  @inline(__always)
  mutating func truncate(to height: Int) {
    count = min(count, height)
    if !wide.isEmpty { forgetWide() }
  }

  private mutating func forgetWide() {
    // An object whose last member was removed again is counted again when needed.
    wide = wide.filter { [count] in $0.key + $0.value.count <= count }
  }

  mutating func removeAll() {
    count = 0
    wide = [:]
  }
}
