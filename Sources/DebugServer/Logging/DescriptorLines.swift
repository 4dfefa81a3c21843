internal import Foundation
internal import Synchronization

/// Writes lines to a descriptor that may fail at any time: a disk fills up, a terminal is closed, the
/// reader of a pipe ends. A line that cannot be written is counted, and the log goes on without it.
final class DescriptorLines: Sendable {
  private struct State {
    var lost = 0
    /// Whether a line broke off in the middle.
    var isTorn = false
  }

  private let descriptor: Int32
  private let state = Mutex(State())

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Writes a line, and first how many are missing before it.
  func write(_ line: String) {
    state.withLock { state in
      var text = state.isTorn ? "\n" : ""
      if state.lost > 0 { text += "\(state.lost) log lines could not be written.\n" }
      text += line
      let bytes = Array(text.utf8)
      let written = Self.write(bytes, to: descriptor)
      if written == bytes.count {
        state = State()
      } else {
        state.lost += 1
        if written > 0 { state.isTorn = bytes[written - 1] != UInt8(ascii: "\n") }
      }
    }
  }

  /// Writes as much as the system accepts, and returns how much that was.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int {
    var written = 0
    while written < bytes.count {
      let rest = Array(bytes[written...])
      let count = Foundation.write(descriptor, rest, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    return written
  }
}
