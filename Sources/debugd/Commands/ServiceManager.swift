import Foundation

/// Reports the daemon's state to the service manager that started it: systemd's notification socket.
enum ServiceManager {
  /// Sends a line such as `READY=1`; does nothing where no manager listens.
  static func notify(_ line: String, environment: [String: String]) {
    guard let path = environment["NOTIFY_SOCKET"], let first = path.utf8.first,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
    else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room else { return }
    // A name that begins with @ lives in no file system; its first byte is zero.
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    // Safe: it was asked above that the name fits.
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + bytes.count
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = Array(line.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      // Safe: the address is alive during the call, which reads `length` bytes of it.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(
          descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
  }
}
