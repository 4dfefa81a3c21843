import Dispatch
import Foundation
import Timelines

/// Standard input, for commands that another program talks to.
///
/// Reading blocks, so it happens on a queue of its own, and only while a caller waits: a program that
/// writes faster than the command handles fills its pipe, not the command's memory.
struct StandardInput: Sendable {
  private static let maximumBytes = 65_536

  private let queue = DispatchQueue(label: "input")

  /// The next bytes; empty at the end.
  ///
  /// - Throws: ``CommandError`` if it cannot be read: it may be closed, or a folder.
  func next() async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try Self.bytes(from: STDIN_FILENO) })
      }
    }
  }

  private static func bytes(from descriptor: Int32) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: maximumBytes)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count >= 0 { return Array(buffer.prefix(count)) }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        // The other program made its end nonblocking, and so this one.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, -1)
      case let code:
        throw CommandError(
          "Standard input cannot be read: \(SystemError(code).clause(.reading)).")
      }
    }
  }
}
