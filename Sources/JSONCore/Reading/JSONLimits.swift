/// The maximum size and depth of a JSON text.
///
/// Every text that comes from a peer or a file is read under limits; exceeding one is an error with
/// a position, never a trap.
public struct JSONLimits: Hashable, Sendable {
  /// The maximum nesting depth of arrays and objects (default: 512, like Foundation's).
  ///
  /// It bounds the recursion of everything that walks a value, and so the stack: 512 levels take
  /// less than half a MiB in optimized code and up to 2 MiB in debug builds. The default fits every
  /// thread on Linux and the main thread elsewhere; use a lower limit on threads with a small
  /// stack, and a higher one only with a stack that is larger in proportion.
  public var depth: Int

  /// The maximum number of bytes in one text (default: 256 MiB).
  public var bytes: Int

  /// The maximum number of bytes in one number (default: 256).
  ///
  /// The longest number that Foundation writes, a `Decimal` in full, has 167.
  public var numberBytes: Int

  /// The maximum number of bytes that all copies of one patch may add, and all moves to a deeper
  /// place may move (default: 16 MiB, the largest message).
  ///
  /// Without it, a few dozen copies, each of the previous one, would fill any memory.
  public var copiedBytes = 16 << 20

  /// The maximum number of array elements that one patch may shift by inserting and removing before
  /// them (default: 2^28).
  ///
  /// It bounds the time of a patch to about a second.
  public var shiftedElements = 1 << 28

  /// Makes limits.
  public init(depth: Int = 512, bytes: Int = 256 << 20, numberBytes: Int = 256) {
    self.depth = depth
    self.bytes = bytes
    self.numberBytes = numberBytes
  }

  /// The default limits.
  public static let standard = JSONLimits()
}
