/// The key under which the places of a chunk are kept that concern a path in one way.
///
/// A key is a hash of the path's text and of the way, and not the text: index rows stay short, no
/// table of paths grows with what a recording does, and two paths that share a key by chance cost a
/// look at a few entries, for every place is verified against the values before it is answered.
struct PostingKey: Hashable, Sendable {
  /// The number in the database: 47 bits, which SQLite stores in six bytes.
  let number: Int64

  /// In which way an entry can concern a path.
  enum Way: Sendable {
    /// An operation at the path itself.
    case exact
    /// An operation at something inside.
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
    // The last steps of SplitMix64: every bit of both decides about every bit that is kept.
    var mixed = hash &+ way &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    number = Int64((mixed ^ mixed >> 31) >> 17)
  }

  /// Entries of which it is not known what they changed: thinned ones, and keyframes without patch.
  static let unknown = PostingKey(mixing: 0, 5)

  /// Entries before which others were lost.
  static let gap = PostingKey(mixing: 0, 6)

  /// Entries whose event a stand-in replaces as a whole, so that its name is not known.
  static let hiddenEvent = PostingKey(mixing: 0, 7)

  /// Entries with a value of any kind that a stand-in replaces.
  static let redacted = PostingKey(mixing: 0, 9)

  /// Entries with events of names for which their chunk keeps no places.
  static let otherName = PostingKey(mixing: 0, 8)

  /// The class of an index in an array: a whole power of two shares one.
  ///
  /// Whoever asks about the element at an index looks at all classes up to the index's own. An array
  /// that grows at its end by thousands is then no reason to look at every entry that did so when
  /// one of its first elements is asked about.
  static func shiftClass(of index: Int) -> Int {
    Int.bitWidth - 1 - (index &+ 1).magnitude.leadingZeroBitCount
  }
}

/// FNV-1a over the text of a pointer, so that the hash of a path goes on from its parent's.
struct PathHash: Hashable, Sendable {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of nothing.
  init() {}

  /// The hash of a text.
  init(_ text: some Sequence<UInt8>) {
    for byte in text { feed(byte) }
  }

  /// Takes one more byte in.
  @inline(__always)
  mutating func feed(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}
