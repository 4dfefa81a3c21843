/// Encodes one value after another, each as what changed since the one before.
///
/// ```swift
/// var encoder = IncrementalEncoder<State>()
/// let first = try encoder.start(state)           // the whole value
/// let change = try encoder.advance(to: next)     // change.patch: [{"op":"replace",…}]
/// let whole = try encoder.fullBytes()            // the whole value, when a keyframe is due
/// ```
///
/// The cost of a step follows the change, not the value. Arrays, dictionaries, sets and strings
/// with the storage of before are not looked at; elements are compared by their bytes, and only
/// those that differ are encoded. Never is `==` asked, which may ignore fields. It always holds that
///
/// - `fullBytes()` is what `CanonicalEncoder` makes of the value, byte for byte;
/// - the patch turns the previous value into it, and is `[]` when their texts are equal;
/// - at every level the patch is no longer than replacing the whole value there.
///
/// Parts whose types hold class instances, closures or pointers are encoded anew in every step and
/// compared as text, because equal bytes prove nothing about them.
///
/// The previous value's collections are kept. A value that changes in place pays one copy of a
/// collection for that, and someone the release of the old one.
///
/// - Important: What `encode(to:)` writes must depend on the value alone, or also on `userInfo`, as
///   long as that means the same. A type that reads globals, `codingPath` or the time needs
///   `reusesUnchangedParts: false`; then everything is encoded in every step.
public struct IncrementalEncoder<Value: Encodable> {
  private let encoder: CanonicalEncoder
  private let reusesUnchangedParts: Bool
  private var current: Skeleton?

  /// The number of bytes that `fullBytes()` has, known without making them.
  public private(set) var byteCount = 0

  /// An encoder that has seen no value.
  ///
  /// - Parameters:
  ///   - encoder: Says what the values find in `userInfo` and how deep they may nest.
  ///   - reusesUnchangedParts: Whether what shares storage or has equal bytes is taken over.
  public init(encoder: CanonicalEncoder = CanonicalEncoder(), reusesUnchangedParts: Bool = true) {
    self.encoder = encoder
    self.reusesUnchangedParts = reusesUnchangedParts
  }

  /// What changed in one step.
  public struct Change: Hashable, Sendable {
    /// The bytes of `[]`, or of an array of RFC 6902 operations, `add`, `remove` and `replace` only.
    public var patch: [UInt8]

    /// Whether nothing changed.
    public var isEmpty: Bool { patch.count == 2 }
  }

  /// Begins with a value, and gives its encoding. May be called again, to begin anew.
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

  /// Goes on to the next value. When it throws, the previous value stays the current one.
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

  /// Leaves large parts out, and does without that when one of them throws.
  ///
  /// A part that was left out throws when nobody is there any more to catch it, as the value may do
  /// that encodes it; and only the whole knows the path to what threw.
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

// Safe: all that is kept of a value is bytes, and collections of the standard library whose parts
// are, all the way down, scalars, strings and such collections. Those are Sendable whether `Value`
// is or not.
extension IncrementalEncoder: @unchecked Sendable {}

extension Skeleton {
  /// The whole text. Notes the sizes of the gaps.
  fileprivate mutating func writeWhole(_ engine: EncodingEngine) throws -> [UInt8] {
    var writer = JSONWriter(capacity: bytes.count)
    gaps = try write(0..<bytes.count, to: &writer, engine: engine)
    return writer.bytes()
  }
}
