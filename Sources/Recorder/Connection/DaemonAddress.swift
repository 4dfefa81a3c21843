package enum DaemonAddress: Hashable, Sendable {
  /// A Unix socket on this machine.
  case socket(String)
  case network(host: String, port: Int, isSecure: Bool)

  /// Reads `unix:/path`, `ws://host:port` or `wss://host:port`; `nil` for anything else.
  package init?(_ text: String) {
    if let path = text.without("unix:") {
      // The kernel's limit for a socket path, including the terminator.
      guard path.hasPrefix("/"), path.utf8.count < 104, !path.utf8.contains(0) else { return nil }
      self = .socket(path)
      return
    }
    guard let rest = text.without("ws://") ?? text.without("wss://") else { return nil }
    let authority = rest.hasSuffix("/") ? String(rest.dropLast()) : rest
    guard let colon = authority.lastIndex(of: ":"),
      let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port)
    else { return nil }
    var host = String(authority[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
    } else if host.contains(":") {
      return nil
    }
    let isName = host.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || [0x2D, 0x2E, 0x3A, 0x5F].contains($0)
    }
    guard !host.isEmpty, isName else { return nil }
    self = .network(host: host, port: port, isSecure: text.hasPrefix("wss:"))
  }

  /// The socket of a daemon that was started without options, according to the environment.
  package static func standard(_ environment: [String: String]) -> DaemonAddress? {
    func value(_ key: String) -> String? {
      environment[key].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let directory = value("XDG_RUNTIME_DIR") {
      return .socket("\(directory)/debugd/recorder.sock")
    }
    let data =
      value("STATE_DIRECTORY") ?? value("XDG_STATE_HOME").map { "\($0)/debugd" }
      ?? value("HOME").map { "\($0)/.local/state/debugd" }
    return data.map { .socket("\($0)/run/recorder.sock") }
  }
}

extension DaemonAddress: CustomStringConvertible {
  /// The text that `init(_:)` reads.
  package var description: String {
    switch self {
    case .socket(let path): return "unix:\(path)"
    case .network(let host, let port, let isSecure):
      let name = host.contains(":") ? "[\(host)]" : host
      return "\(isSecure ? "wss" : "ws")://\(name):\(port)"
    }
  }
}

extension String {
  fileprivate func without(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
