/// Encodes one value after another, each as what changed since the one before.
///
/// ```swift
/// struct State: Codable { var flips = 0 }
/// var encoder = IncrementalEncoder<State>()
/// let first = try encoder.start(State())                   // the whole value
/// let change = try encoder.advance(to: State(flips: 1))    // change.patch: [{"op":"replace",…}]
/// let whole = try encoder.fullBytes()                      // the whole value, when a keyframe is due
/// ```
///
/// The cost of a step depends on the size of the change, not of the value. Arrays, dictionaries,
/// sets, and strings with unchanged storage are skipped; elements are compared by their bytes, and
/// only those that differ are encoded. `==` is never called, because it may ignore fields. It
/// guarantees that
///
/// - `fullBytes()` is byte for byte what `CanonicalEncoder` writes for the value;
/// - the patch turns the previous value into it, and is `[]` when their texts are equal;
/// - at every level the patch is no longer than replacing the whole value there.
///
/// Parts whose types contain class instances, closures, or pointers are encoded again in every step
/// and compared as text, because equal bytes prove nothing about them.
///
/// The encoder retains the previous value's collections. A value that changes in place therefore
/// copies the collection that it changes, and the old one must be released.
///
/// - Important: The output of `encode(to:)` must depend only on the value, and on `userInfo` if
///   that never changes. A type that reads globals, `codingPath`, or the time needs
///   `reusesUnchangedParts: false`; then everything is encoded in every step.
public struct IncrementalEncoder<Value: Encodable> {
  private let encoder: CanonicalEncoder
  private let reusesUnchangedParts: Bool
  private var current: Skeleton?

  /// The number of bytes in `fullBytes()`, known without making them.
  public private(set) var byteCount = 0

  /// Makes an encoder without a current value.
  ///
  /// - Parameters:
  ///   - encoder: Provides `userInfo` and the maximum depth.
  ///   - reusesUnchangedParts: Whether to reuse parts that share storage or have equal bytes.
  public init(encoder: CanonicalEncoder = CanonicalEncoder(), reusesUnchangedParts: Bool = true) {
    self.encoder = encoder
    self.reusesUnchangedParts = reusesUnchangedParts
  }

  /// What changed in one step.
  public struct Change: Hashable, Sendable {
    /// The bytes of an array of RFC 6902 operations, only `add`, `remove`, and `replace`.
    public var patch: [UInt8]

    /// Whether nothing changed.
    public var isEmpty: Bool { patch.count == 2 }
  }

  /// Sets the first value, and returns its encoding. Call it again to start over.
  @discardableResult
  public mutating func start(_ value: Value) throws -> [UInt8] {
    let (skeleton, bytes) = try leavingGaps { leavesGaps in
      try EncodingEngine.lend(to: encoder) { engine in
        var skeleton = try makeSkeleton(of: value, leavesGaps, engine)
        let bytes = try skeleton.writeWhole(engine)
        return (skeleton, bytes)
      }
    }
    current = skeleton
    byteCount = bytes.count
    return bytes
  }

  /// Advances to the next value. If it throws, the previous value remains the current one.
  ///
  /// - Precondition: `start` was called.
  public mutating func advance(to next: Value) throws -> Change {
    guard let current else { preconditionFailure("call start(_:) with a first value before") }
    let (skeleton, growth, patch) = try leavingGaps { leavesGaps in
      try EncodingEngine.lend(to: encoder) { engine in
        let difference = ValueDifference(engine: engine)
        let walk = SkeletonWalk(
          old: current, new: try makeSkeleton(of: next, leavesGaps, engine),
          difference: difference)
        try walk.visitRoot()
        let growth = try walk.growth()
        return (walk.new, growth, difference.patch())
      }
    }
    self.current = skeleton
    byteCount += growth
    return Change(patch: patch)
  }

  /// The encoding of the current value.
  ///
  /// - Precondition: `start` was called.
  public func fullBytes() throws -> [UInt8] {
    guard var current else { preconditionFailure("call start(_:) with a first value before") }
    return try EncodingEngine.lend(to: encoder) { try current.writeWhole($0) }
  }

  /// Omits large parts first, and encodes everything if one of them throws.
  ///
  /// An omitted part throws too late to be caught by the value that encodes it, and only a complete
  /// encoding knows the coding path of the error.
  private func leavingGaps<R>(_ body: (_ leavesGaps: Bool) throws -> R) throws -> R {
    guard reusesUnchangedParts else { return try body(false) }
    do {
      return try body(true)
    } catch {
      return try body(false)
    }
  }

  private func makeSkeleton(
    of value: Value, _ leavesGaps: Bool, _ engine: EncodingEngine
  ) throws -> Skeleton {
    try engine.skeleton(nesting: 0, leavingGaps: leavesGaps) { try $0.encodeRoot(value) }
  }
}

// Safe: it retains only bytes, and collections of the standard library whose parts are, all the way
// down, scalars, strings, and such collections. Those are Sendable even if `Value` is not.
extension IncrementalEncoder: @unchecked Sendable {}

extension Skeleton {
  /// Writes the whole text, and records the sizes of the gaps.
  fileprivate mutating func writeWhole(_ engine: EncodingEngine) throws -> [UInt8] {
    var writer = JSONWriter(capacity: bytes.count)
    gaps = try write(0..<bytes.count, to: &writer, engine: engine)
    return writer.bytes()
  }
}
