package import TimelineStore

/// How a daemon is set up.
package struct ServerConfiguration: Sendable {
  /// A host and a port to listen on.
  package struct Place: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address, such as `127.0.0.1` or `::1`.
    package var host: String
    /// A port; 0 lets the system choose.
    package var port: Int

    /// A place.
    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// Whether only this machine reaches it.
    package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Whether it is every address of the machine.
    package var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// The files with which the daemon proves who it is over TLS.
  package struct Identity: Hashable, Sendable {
    /// The certificate, with those that lead to a root, as PEM.
    package var certificate: String
    /// Its private key, as PEM.
    package var key: String

    /// An identity of two files.
    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// The port where none is given.
  package static let standardPort = 7357

  /// The folder of everything that is kept; made with mode 0700 when it is missing.
  package var data: String

  /// The Unix socket of recorders and of the command line; `nil` for none.
  ///
  /// Default: as ``standardSocket(data:environment:)`` says.
  package var socket: String?

  /// The command that starts a daemon on this data, for messages.
  package var start = Self.start

  /// What commands that messages suggest need to find this daemon, such as ` --data FOLDER`; empty
  /// where they find it by themselves.
  package var dataOption = ""

  /// The command that starts a daemon on the user's data.
  package static let start = "debugd serve"

  /// Where to listen for pages and for recorders of other machines.
  ///
  /// A place where the first one's port is taken or the address is unknown is an error; of `::1` it
  /// is a warning, for not every machine has it. Default: port 7357 of 127.0.0.1 and of ::1.
  package var places = [
    Place(host: "127.0.0.1", port: standardPort), Place(host: "::1", port: standardPort),
  ]

  /// With which certificate to speak TLS on the places. Default: none.
  package var identity: Identity?

  /// Whether places that other machines reach may do without TLS. Default: no.
  package var isInsecureAllowed = false

  /// Names by which the daemon may be called, besides those of loopback. Default: none.
  package var names: [String] = []

  /// Origins of pages that may connect, besides the daemon's own. Default: none.
  package var origins: [String] = []

  /// The folder of the page; `nil` shows a text that says how to give it. Default: `nil`.
  package var web: String?

  /// What peers are held to.
  package var limits = ServerLimits()

  /// What runs reducers.
  package var hosts = HostSettings()

  /// How much is kept. Default: everything.
  package var retention = Retention()

  /// How often that is looked after. Default: every minute, so that a limit is exceeded by a minute's
  /// entries at most.
  package var retentionInterval = Duration.seconds(60)

  /// Where log events go. Default: nowhere.
  package var log: any Log = SilentLog()

  /// A daemon that keeps its data in a folder.
  package init(data: String, environment: [String: String] = [:]) {
    self.data = data
    socket = Self.standardSocket(data: data, environment: environment)
  }

  /// The data directory where none is given: `$STATE_DIRECTORY`, else `$XDG_STATE_HOME/debugd`, else
  /// `~/.local/state/debugd`.
  package static func standardData(environment: [String: String]) -> String? {
    if let path = absolute(environment["STATE_DIRECTORY"]) { return path }
    if let path = absolute(environment["XDG_STATE_HOME"]) { return path + "/debugd" }
    return absolute(environment["HOME"]).map { $0 + "/.local/state/debugd" }
  }

  /// The Unix socket where none is given: in `$XDG_RUNTIME_DIR/debugd` when that is set, else in
  /// `run` of the data directory. Recorders look in the same places.
  package static func standardSocket(data: String, environment: [String: String]) -> String {
    (absolute(environment["XDG_RUNTIME_DIR"]).map { $0 + "/debugd" } ?? data + "/run")
      + "/recorder.sock"
  }

  /// A variable that is no absolute path is as good as absent, as the XDG specification says.
  private static func absolute(_ path: String?) -> String? {
    path.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The secret of recorders over TCP.
  package var secretFile: String { data + "/recorder.secret" }

  /// The sessions of inspectors.
  package var sessionFile: String { data + "/sessions.json" }
}

extension ServerConfiguration {
  /// The folder of the page: the one that is given, else `DEBUGD_WEB`, else `share/debugd/web` beside
  /// the folder of the executable, else `web` in the working directory; `nil` when there is none.
  ///
  /// One that is given is taken as it is, so that a mistake is told.
  package static func webFolder(
    given: String?, environment: [String: String], executable: String, workingDirectory: String,
    exists: (String) -> Bool
  ) -> String? {
    if let given = given ?? environment["DEBUGD_WEB"], !given.isEmpty { return given }
    var candidates: [String] = []
    let parts = executable.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count > 2 {
      let prefix = parts.dropLast(2).joined(separator: "/")
      candidates.append(prefix + "/share/debugd/web")
    }
    candidates.append(workingDirectory + "/web")
    return candidates.first { exists($0 + "/index.html") }
  }
}
