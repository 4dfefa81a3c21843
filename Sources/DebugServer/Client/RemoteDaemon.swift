internal import WebSockets

/// Another daemon, and how to tell that it is the right one.
package struct RemoteDaemon: Sendable {
  /// Which certificate to accept for `wss://`.
  package enum Trust: Sendable {
    /// One for the host from an authority of the system.
    case system
    /// One for the host from the authority in a PEM file.
    case authority(path: String)
    /// The one with this SHA-256 fingerprint, 64 hexadecimal digits.
    case fingerprint(String)
  }

  package let host: String
  package let port: Int
  package let isSecure: Bool
  package var trust = Trust.system

  /// Reads `wss://host:port` or `ws://host:port`; `nil` for anything else.
  package init?(_ text: String) {
    let rest: Substring
    if text.hasPrefix("wss://") {
      (isSecure, rest) = (true, text.dropFirst(6))
    } else if text.hasPrefix("ws://") {
      (isSecure, rest) = (false, text.dropFirst(5))
    } else {
      return nil
    }
    let authority = rest.hasSuffix("/") ? rest.dropLast() : rest
    guard let (name, port) = Self.parts(of: authority), !name.isEmpty,
      name.utf8.allSatisfy(Self.isOfHost)
    else { return nil }
    host = name.lowercased()
    self.port = port
  }

  private static func parts(of authority: Substring) -> (name: String, port: Int)? {
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      let name = authority[authority.index(after: authority.startIndex)..<end]
      return port(authority[authority.index(after: end)...]).map { (String(name), $0) }
    }
    let name = authority.prefix { $0 != ":" }
    guard !name.contains(":") else { return nil }
    return port(authority.dropFirst(name.count)).map { (String(name), $0) }
  }

  /// A port after a colon; the daemon's default port if there is none.
  private static func port(_ text: Substring) -> Int? {
    guard !text.isEmpty else { return ServerConfiguration.standardPort }
    guard text.first == ":", let port = Int(text.dropFirst()), (1...65_535).contains(port) else {
      return nil
    }
    return port
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: ":"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The `Host` of a request, which leaves out the scheme's default port.
  var authority: String { port == (isSecure ? 443 : 80) ? name : "\(name):\(port)" }

  /// The address, always with the port: without one, it would be read with the daemon's default port.
  package var address: String { "\(isSecure ? "wss" : "ws")://\(name):\(port)" }

  private var name: String { host.contains(":") ? "[\(host)]" : host }

  var endpoint: Endpoint {
    guard isSecure else { return .plain(host: host, port: port) }
    let trust: TLSTrust =
      switch trust {
      case .system: .system
      case .authority(let path): .authority(path: path)
      case .fingerprint(let digits): .fingerprint(digits)
      }
    return .secure(host: host, port: port, trust: trust)
  }
}

extension SocketBackend {
  /// Connects to another daemon, and signs in with a key.
  package static func connect(
    to daemon: RemoteDaemon, key: AccessKey, client: String
  ) async throws -> SocketBackend {
    let signIn = SignIn(key, host: daemon.authority, client: client)
    return try await connect(to: daemon.endpoint, client: client, signIn: signIn)
  }
}
