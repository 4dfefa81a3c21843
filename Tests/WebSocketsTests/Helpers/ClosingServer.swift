import Foundation
import TestSupport

/// A Unix socket whose connections are closed as soon as they are accepted.
final class ClosingServer: Sendable {
  let path: String
  private let folder: String
  private let descriptor: Int32

  init() throws {
    folder = try TemporaryFolder.make()
    path = folder + "/s"
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // Safe: the path is shorter than the field, which is passed with the structure's size.
    let isListening = withUnsafeMutableBytes(of: &address) { bytes in
      for (index, byte) in path.utf8.enumerated() where index < 100 { bytes[2 + index] = byte }
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      return bind(descriptor, start, socklen_t(bytes.count)) == 0 && listen(descriptor, 64) == 0
    }
    guard isListening else { throw CocoaError(.fileReadUnknown) }
    Thread.detachNewThread {
      while true {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else { break }
        close(accepted)
      }
      close(descriptor)
    }
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    TemporaryFolder.remove(folder)
  }
}
