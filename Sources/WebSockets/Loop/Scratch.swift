internal import CLibWebsockets

/// The buffer that a loop writes from: room for a frame's head, which the library adds, and for one
/// fragment. One per loop is enough, because the library writes or copies before it returns.
///
/// Safe: `@unchecked` because only the loop uses it.
struct Scratch: @unchecked Sendable {
  /// The maximum payload of one frame. Sessions with long messages take turns, and the library buffers
  /// at most this much for a full socket.
  static let fragmentBytes = 64 * 1024

  private let memory: UnsafeMutablePointer<UInt8>
  /// The maximum payload in bytes.
  let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    memory = .allocate(capacity: shim_headroom() + capacity)
  }

  /// The start of the payload.
  var payload: UnsafeMutablePointer<UInt8> { memory + shim_headroom() }

  /// Copies a range of an array into the payload, after the first `count` bytes.
  ///
  /// The range must be within the array, and must fit into the capacity.
  func fill(with bytes: [UInt8], _ range: Range<Int>, after count: Int = 0) {
    precondition(
      count >= 0 && range.count <= capacity - count && bytes.indices.contains(range))
    guard !range.isEmpty else { return }
    bytes.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      // Safe: the range is within the array, and its end is within the capacity.
      (payload + count).update(from: start + range.lowerBound, count: range.count)
    }
  }

  func free() { memory.deallocate() }
}

extension Range where Bound == Int {
  /// Whether all of another range is in this one.
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    other.isEmpty || (other.lowerBound >= lowerBound && other.upperBound <= upperBound)
  }
}
