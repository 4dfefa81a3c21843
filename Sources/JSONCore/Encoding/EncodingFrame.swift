/// One value that is being encoded: its container, and its current child.
struct EncodingFrame: BitwiseCopyable {
  /// What a frame has opened so far.
  enum Kind: BitwiseCopyable {
    case empty
    /// An object.
    case keyed
    /// An array.
    case unkeyed
    /// A value without a container.
    case single
    /// Of frame 0 only: the root value has encoded nothing.
    case nothing
  }

  /// The place of the next frame in this value.
  enum Edge: BitwiseCopyable {
    /// In its place, as in a single-value container.
    case none
    /// Under a key that is on the stack of the call that opened the next frame.
    ///
    /// A pointer instead of a copy: making an existential of every key, which may never be needed,
    /// cost more than writing it. Safe: it is read only while the next frame is open, which is
    /// inside that call.
    case borrowed(UnsafeRawPointer, any CodingKey.Type)
    case index(Int)
    /// Under `EncodingEngine.ownedKeys` at that place.
    case owned(Int)
    /// Of the base of a value that a tree encodes: under `EncodingEngine.ownedPaths`, the whole
    /// path.
    case path(Int)
  }

  /// Never reused, so that a container can detect that its frame is closed.
  var serial: Int

  /// Where its bytes begin.
  var start: Int

  /// The number of member keys when it was opened.
  var keyBase: Int

  /// The number of elements or members.
  var count = 0

  var kind = Kind.empty
  var edge = Edge.none

  /// Whether a container opened it, rather than the encoding of a value: it is closed when its
  /// parent is used again.
  var isNested = false
}

extension EncodingFrame {
  init(serial: Int, start: Int, keyBase: Int) {
    self.serial = serial
    self.start = start
    self.keyBase = keyBase
  }
}
