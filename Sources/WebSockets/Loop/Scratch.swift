internal import CLibWebsockets

/// The memory that a loop writes from: room for a frame's head, which the library puts in front, and
/// for one fragment. One a loop, as the library writes or copies before it returns.
///
/// Safe: `@unchecked` because only the loop touches it.
struct Scratch: @unchecked Sendable {
  /// The most payload of one frame. Long messages take turns with those of other sessions, and the
  /// library keeps no more than this for a socket that is full.
  static let fragmentBytes = 64 * 1024

  private let memory: UnsafeMutablePointer<UInt8>
  /// How much payload fits.
  let capacity: Int

  /// Memory for that much payload.
  init(capacity: Int) {
    self.capacity = capacity
    memory = .allocate(capacity: shim_headroom() + capacity)
  }

  /// Where the payload goes.
  var payload: UnsafeMutablePointer<UInt8> { memory + shim_headroom() }

  /// Copies a piece of an array to where the payload goes, behind what is there already.
  ///
  /// The range must fit into both.
  func fill(with bytes: [UInt8], _ range: Range<Int>, behind count: Int = 0) {
    precondition(
      count >= 0 && range.count <= capacity - count && bytes.indices.contains(range))
    guard !range.isEmpty else { return }
    bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      // Safe: the range is within the array and, behind the others, within the capacity.
      (payload + count).update(from: start + range.lowerBound, count: range.count)
    }
  }

  /// Gives the memory back.
  func free() { memory.deallocate() }
}

extension Range where Bound == Int {
  /// Whether all of another range is in this one.
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    other.isEmpty || (other.lowerBound >= lowerBound && other.upperBound <= upperBound)
  }
}
