/// What a piece of JSON may grow to before it is refused.
///
/// Every text that comes from a peer or a file is read under limits; exceeding one is an error with
/// a position, never a trap.
public struct JSONLimits: Hashable, Sendable {
  /// The number of arrays and objects that may be open at once.
  ///
  /// Bounds the recursion of everything that walks a value: a limit is a promise about the stack,
  /// too. 512 levels take less than half a MiB of it in optimised code and up to 2 MiB in debug
  /// builds, so that the default suits every thread of Linux and a main thread elsewhere; give less
  /// on threads with a small stack, and do not give more than a stack of that proportion holds.
  /// Default: 512, as Foundation's.
  public var depth: Int

  /// The bytes of one text. Default: 256 MiB.
  public var bytes: Int

  /// The bytes of one number.
  ///
  /// The longest that Foundation writes, a `Decimal` in full, has 167. Default: 256.
  public var numberBytes: Int

  /// The bytes that all copies of one patch may add, and all moves to a deeper place may move.
  ///
  /// A few dozen copies, each of the one before, would fill any memory. Default: 16 MiB, the
  /// largest message.
  public var copiedBytes = 16 << 20

  /// The elements of arrays that one patch may move aside by inserting and removing before them.
  ///
  /// Bounds the time of a patch to about a second. Default: 2^28.
  public var shiftedElements = 1 << 28

  /// Limits with the given values.
  public init(depth: Int = 512, bytes: Int = 256 << 20, numberBytes: Int = 256) {
    self.depth = depth
    self.bytes = bytes
    self.numberBytes = numberBytes
  }

  /// The limits that hold where none are given.
  public static let standard = JSONLimits()
}
