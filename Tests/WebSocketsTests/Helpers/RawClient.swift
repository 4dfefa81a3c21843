import Foundation
import Testing

@testable import WebSockets

/// A client that sends single frames.
struct RawClient: Sendable {
  private let descriptor: Int32

  /// Connects and opens a session.
  init(_ endpoint: Endpoint) throws {
    guard case .plain(_, let port) = endpoint else { throw CocoaError(.featureUnsupported) }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    // Safe: the structure is an address that the call accepts, passed with its size.
    let status = withUnsafeBytes(of: &address) { bytes in
      connect(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
    guard status == 0 else { throw POSIXError(.ECONNREFUSED) }
    let lines = [
      "GET / HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "",
    ]
    send(Array(lines.joined(separator: "\r\n").utf8))
  }

  func send(_ frame: RawFrame) { send(frame.bytes) }

  private func send(_ bytes: [UInt8]) { _ = write(descriptor, bytes, bytes.count) }

  /// Reads until some bytes have arrived.
  func receive(until wanted: [UInt8]) async {
    let isFound = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while received.firstRange(of: wanted) == nil {
          let count = read(descriptor, &buffer, buffer.count)
          guard count > 0 else { break }
          received += buffer[..<count]
        }
        continuation.resume(returning: received.firstRange(of: wanted) != nil)
      }
    }
    #expect(isFound, "the connection ended")
  }

  func close() { _ = Foundation.close(descriptor) }
}
