import HostProcesses

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The environment variables that configure recording.
package struct RecorderEnvironment: Sendable {
  package var variables: [String: String]

  /// Creates an environment from these variables.
  package init(_ variables: [String: String]) {
    self.variables = variables
  }

  private static let names = [
    "DEBUGD", "DEBUGD_SECRET_FILE", "DEBUGD_AUTHORITY", "DEBUGD_FINGERPRINT", "XDG_RUNTIME_DIR",
    "STATE_DIRECTORY", "XDG_STATE_HOME", "HOME", "DEBUGD_COMMIT", "DEBUGD_SOCKET",
  ]

  /// The variables of this process.
  package static var current: RecorderEnvironment {
    var variables: [String: String] = [:]
    for name in names + commitVariables {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return RecorderEnvironment(variables)
  }

  /// What the variable `DEBUGD` requests.
  enum Request: Hashable {
    case nothing
    case off
    case daemon(DaemonAddress, alternatives: [DaemonAddress])
    case file(String)
    case invalid(String)
  }

  var request: Request {
    guard let text = variables["DEBUGD"], !text.isEmpty else { return .nothing }
    if ["off", "0", "false", "no"].contains(text.lowercased()) { return .off }
    if text.hasPrefix("file:") {
      var path = text.dropFirst("file:".count)
      if path.hasPrefix("//") { path = path.dropFirst(2) }
      return path.isEmpty ? .invalid(text) : .file(String(path))
    }
    guard let addresses = DaemonAddress.list(text), let first = addresses.first else {
      return .invalid(text)
    }
    return .daemon(first, alternatives: Array(addresses.dropFirst()))
  }

  /// The destinations to use; nil when nothing is recorded.
  ///
  /// Memory sinks are never overridden: they belong to the code that reads them.
  package func destinations(
    _ configured: [RecordingDestination], log: (String) -> Void
  ) -> [RecordingDestination]? {
    var memory: [RecordingDestination] = []
    for destination in configured {
      if case .memory = destination { memory.append(destination) }
    }
    switch request {
    case .off: return nil
    case .nothing: return withSocket(configured, log: log)
    case .file(let path): return memory + [.file(path)]
    case .daemon(let address, let alternatives):
      var daemon = DaemonDestination(address: address.description)
      daemon.alternatives = alternatives.map(\.description)
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
    case .invalid(let text):
      log(
        """
        DEBUGD=\(text) is invalid and ignored. To fix, set it to off, unix:/path, ws://host:port, \
        wss://host:port, or file:/path.
        """)
      return configured
    }
  }
}

/// Writes a line to stderr from any thread, without waiting: if stderr is closed, or a pipe that is
/// full, the line is dropped.
package func standardErrorLine(_ text: String) { writeLine(text, to: STDERR_FILENO) }

/// Writes a line to a descriptor in pieces, and drops the rest when the descriptor has no room.
///
/// The descriptor is shared with the app and its parents, so it stays in its mode. A pipe that polls
/// as writable has room for one atomic write, so only a simultaneous write of another thread can
/// make this one wait.
func writeLine(_ text: String, to descriptor: Int32) {
  var rest = Array("\(text)\n".utf8)[...]
  while !rest.isEmpty {
    // Safe: the call fills the local.
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&state, 1, 0) == 1, state.revents == Int16(POLLOUT) else { return }
    let piece = Array(rest.prefix(atomicPipeBytes))
    let count = SignalShield.writing { write(descriptor, piece, piece.count) }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}

/// The bytes that every system writes to a pipe at once or not at all, `_POSIX_PIPE_BUF`.
private let atomicPipeBytes = 512
