import HostProcesses

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the environment says about recording.
package struct RecorderEnvironment: Sendable {
  /// The variables that matter.
  package var variables: [String: String]

  /// These variables.
  package init(_ variables: [String: String]) {
    self.variables = variables
  }

  private static let names = [
    "DEBUGD", "DEBUGD_SECRET_FILE", "DEBUGD_AUTHORITY", "DEBUGD_FINGERPRINT", "XDG_RUNTIME_DIR",
    "STATE_DIRECTORY", "XDG_STATE_HOME", "HOME",
  ]

  /// Those of this process.
  package static var current: RecorderEnvironment {
    var variables: [String: String] = [:]
    for name in names {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return RecorderEnvironment(variables)
  }

  /// What `DEBUGD` asks for.
  enum Wish: Hashable {
    case nothing
    case off
    case daemon(DaemonAddress)
    case file(String)
    case misspelt(String)
  }

  var wish: Wish {
    guard let text = variables["DEBUGD"], !text.isEmpty else { return .nothing }
    if text == "off" { return .off }
    if text.hasPrefix("file:") {
      var path = text.dropFirst("file:".count)
      if path.hasPrefix("//") { path = path.dropFirst(2) }
      return path.isEmpty ? .misspelt(text) : .file(String(path))
    }
    return DaemonAddress(text).map(Wish.daemon) ?? .misspelt(text)
  }

  /// The destinations that are to be used; nil when nothing is to be recorded.
  ///
  /// Memory stays what it is: it belongs to the code that reads it.
  package func destinations(
    _ configured: [RecordingDestination], log: (String) -> Void
  ) -> [RecordingDestination]? {
    var memory: [RecordingDestination] = []
    for destination in configured {
      if case .memory = destination { memory.append(destination) }
    }
    switch wish {
    case .off: return nil
    case .nothing: return configured
    case .file(let path): return memory + [.file(path)]
    case .daemon(let address):
      var daemon = DaemonDestination(address: address.description)
      for case .daemon(let other) in configured {
        (daemon.secret, daemon.secretPath) = (other.secret, other.secretPath)
        daemon.trust = other.trust
      }
      if let path = variables["DEBUGD_SECRET_FILE"] {
        (daemon.secret, daemon.secretPath) = (nil, path)
      }
      if let path = variables["DEBUGD_AUTHORITY"] { daemon.trust = .authority(path: path) }
      if let text = variables["DEBUGD_FINGERPRINT"] { daemon.trust = .fingerprint(text) }
      return memory + [.daemon(daemon)]
    case .misspelt(let text):
      log(
        """
        DEBUGD=\(text) is neither off, unix:/path, ws://host:port, wss://host:port nor file:/path. \
        Recording as configured.
        """)
      return configured
    }
  }
}

/// Writes a line to stderr, on any thread; where nobody reads it, nothing happens.
package func standardErrorLine(_ text: String) {
  let line = Array("\(text)\n".utf8)
  _ = SignalShield.writing { write(2, line, line.count) }
}
