import Foundation

/// A socket that listens and never accepts, so that clients receive nothing; or does not listen.
final class SilentServer: Sendable {
  /// On 127.0.0.1.
  let port: Int
  private let descriptor: Int32

  init(listens: Bool = true) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Safe: the structure is an address that the calls accept, passed with its size.
    let isReady = withUnsafeMutableBytes(of: &address) { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return false
      }
      return bind(descriptor, start, size) == 0 && (!listens || listen(descriptor, 8) == 0)
        && getsockname(descriptor, start, &size) == 0
    }
    guard isReady else { throw CocoaError(.fileReadUnknown) }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }
}
