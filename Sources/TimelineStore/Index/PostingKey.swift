/// The key of the positions at which a path of a chunk was affected in one way.
///
/// A key is a hash of the path's text and the way, not the text: index rows stay short, no table of
/// paths grows with the recording, and two paths that share a key by chance only cost reading a few
/// entries, because every position is verified against the values.
struct PostingKey: Hashable, Sendable {
  /// The number in the database: 47 bits, which SQLite stores in six bytes.
  let number: Int64

  /// How an entry can affect a path.
  enum Way: Sendable {
    /// An operation at the path itself.
    case exact
    /// An operation inside its value.
    case below
    /// An element was inserted into or removed from the array at the path, at an index of this
    /// class.
    case shift(Int)
    /// A stand-in replaces the value at the path.
    case hidden
    /// Stand-ins replace values inside.
    case hiddenBelow

    fileprivate var number: UInt64 {
      switch self {
      case .exact: 1
      case .below: 2
      case .hidden: 3
      case .hiddenBelow: 4
      case .shift(let indexClass): 16 + UInt64(indexClass)
      }
    }
  }

  /// The key of a path in one way.
  init(_ hash: PathHash, _ way: Way) {
    self.init(mixing: hash.value, way.number)
  }

  private init(mixing hash: UInt64, _ way: UInt64) {
    // The last steps of SplitMix64: every input bit affects every kept bit.
    var mixed = hash &+ way &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    number = Int64((mixed ^ mixed >> 31) >> 17)
  }

  /// Entries whose changes are not known: thinned ones, and keyframes without patch.
  static let unknown = PostingKey(mixing: 0, 5)

  /// Entries that were preceded by a loss.
  static let gap = PostingKey(mixing: 0, 6)

  /// Entries whose whole event was replaced by a stand-in, so that its name is not known.
  static let hiddenEvent = PostingKey(mixing: 0, 7)

  /// Entries with any value that was replaced by a stand-in.
  static let redacted = PostingKey(mixing: 0, 9)

  /// Entries with event names whose positions the chunk does not store.
  static let otherName = PostingKey(mixing: 0, 8)

  /// The class of an index in an array: indices with the same power of two share one.
  ///
  /// A query for the element at an index searches all classes up to the index's own. So if an array
  /// grows at its end by thousands, a query for one of its first elements need not read all the
  /// entries that appended to it.
  static func shiftClass(of index: Int) -> Int {
    Int.bitWidth - 1 - (index &+ 1).magnitude.leadingZeroBitCount
  }
}

/// FNV-1a over the text of a pointer, so that the hash of a path continues from its parent's.
struct PathHash: Hashable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of the empty text.
  init() {}

  init(_ text: some Sequence<UInt8>) {
    for byte in text { feed(byte) }
  }

  @inline(__always)
  mutating func feed(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}
