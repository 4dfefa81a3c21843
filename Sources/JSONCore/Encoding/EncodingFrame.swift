/// One value that is being encoded: what it has opened, and what it is just encoding.
struct EncodingFrame: BitwiseCopyable {
  /// What a frame has written so far.
  enum Kind: BitwiseCopyable {
    /// Nothing.
    case empty
    /// An object.
    case keyed
    /// An array.
    case unkeyed
    /// A value without a container of its own.
    case single
    /// Of frame 0 only: the root value has encoded nothing.
    case nothing
  }

  /// Where in this value the next frame stands.
  enum Edge: BitwiseCopyable {
    /// In its place, as in a single-value container.
    case none
    /// Under a key that is on the stack of the call that opened the next frame.
    ///
    /// A pointer and not a copy: making an existential of every key that may never be asked for
    /// cost more than writing it. Safe: it is valid whenever it is read, because it is read only
    /// while the next frame is open, which is inside that call.
    case borrowed(UnsafeRawPointer, any CodingKey.Type)
    /// At an index.
    case index(Int)
    /// Under `EncodingEngine.ownedKeys` at that place.
    case owned(Int)
    /// Of the base of a value that a tree encodes: under `EncodingEngine.ownedPaths`, the whole
    /// path.
    case path(Int)
  }

  /// Never given twice, so that a container finds out that its frame is closed.
  var serial: Int

  /// Where its bytes begin.
  var start: Int

  /// The number of member keys that are older.
  var keyBase: Int

  /// The number of elements or members.
  var count = 0

  var kind = Kind.empty
  var edge = Edge.none

  /// Whether a container opened it, and not the encoding of a value: it is closed when the one
  /// below it is used again.
  var isNested = false
}

extension EncodingFrame {
  init(serial: Int, start: Int, keyBase: Int) {
    self.serial = serial
    self.start = start
    self.keyBase = keyBase
  }
}

/// The keys that the open objects have, as hashes, to notice one that comes twice.
///
/// The hashes have 64 bits; two keys that share one are done as a tree, which compares keys.
struct MemberKeys {
  private var hashes: [UInt64] = []

  /// For an object of many members: its hashes as a set, by the frame's first hash.
  private var wide: [Int: Set<UInt64>] = [:]

  /// Up to here a walk over the hashes is faster than a set.
  private static let walkedCount = 32

  var count: Int { hashes.count }

  /// Notes a key of the object whose first key is at `base`. False when it was there before.
  @inline(__always)
  mutating func insert(_ hash: UInt64, base: Int) -> Bool {
    let count = hashes.count &- base
    if count >= Self.walkedCount { return insertWide(hash, base: base) }
    let isNew = hashes.withUnsafeBufferPointer { hashes in
      var index = base
      while index < hashes.count {
        if hashes[index] == hash { return false }
        index &+= 1
      }
      return true
    }
    if isNew { hashes.append(hash) }
    return isNew
  }

  private mutating func insertWide(_ hash: UInt64, base: Int) -> Bool {
    if hashes.count - base == Self.walkedCount { wide[base] = Set(hashes[base...]) }
    guard wide[base, default: Set(hashes[base...])].insert(hash).inserted else { return false }
    hashes.append(hash)
    return true
  }

  @inline(__always)
  mutating func truncate(to count: Int) {
    guard hashes.count > count else { return }
    hashes.removeLast(hashes.count - count)
    if !wide.isEmpty { forgetWide(from: count) }
  }

  private mutating func forgetWide(from count: Int) {
    // What is left of an object whose last member was taken back is counted anew when needed.
    wide = wide.filter { $0.key + $0.value.count <= count }
  }

  mutating func removeAll() {
    hashes.removeAll(keepingCapacity: true)
    wide = [:]
  }
}
