package import Reruns
package import TimelineStore

package struct ServerConfiguration: Sendable {
  /// A host and a port to listen on.
  package struct Place: Hashable, Sendable, CustomStringConvertible {
    /// A numeric address, such as `127.0.0.1` or `::1`.
    package var host: String
    /// A port; 0 lets the system choose.
    package var port: Int

    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Whether it means every address of the machine.
    package var isWildcard: Bool { host == "0.0.0.0" || host == "::" }

    /// Whether it and another place cannot both be listened on.
    func overlaps(_ other: Place) -> Bool {
      port == other.port && (host == other.host || isWildcard || other.isWildcard)
    }

    /// The address itself, if it is specific: no DNS name can be bound to it.
    var ownNames: [String] { isWildcard ? [] : [host.contains(":") ? "[\(host)]" : host] }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// The files that identify the daemon over TLS.
  package struct Identity: Hashable, Sendable {
    /// The certificate chain, as PEM.
    package var certificate: String
    /// Its private key, as PEM.
    package var key: String

    package init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  package static let standardPort = 7357

  /// The folder of all stored data; created with mode 0700 if it does not exist.
  package var data: String

  /// The database of the timelines; `nil` for a file in the data folder. Default: `nil`.
  package var database: (any SharedDatabase)?

  /// Whether to wait while another daemon serves the database, and then take over. Default: no.
  package var isStandby = false

  /// Waits before a standby tries again. Default: sleeps.
  package var standbyPause: @Sendable (Duration) async throws -> Void = {
    try await Task.sleep(for: $0)
  }

  /// The Unix socket of recorders and of the command line; `nil` for none.
  ///
  /// Default: ``standardSocket(data:environment:)``.
  package var socket: String?

  /// Whether the user named the data folder, instead of using the standard one.
  package var isDataNamed = false

  /// Whether recorders on this machine find the socket without configuration.
  package var isSocketStandard = true

  /// Whether the user named the socket for this command.
  package var isSocketNamed = false

  /// The command that starts a daemon on this data, for messages.
  package var start = Self.start

  /// The option with which suggested commands find this daemon, such as ` --data FOLDER`; empty if
  /// they find it without one.
  package var dataOption = ""

  /// The command that starts a daemon on the user's data.
  package static let start = "debugd serve"

  /// The addresses for pages and for recorders on other machines.
  ///
  /// An address whose port is taken or that is unknown is an error; for `::1` it is a warning,
  /// because not every machine has it. Default: port 7357 of 127.0.0.1 and of ::1.
  package var places = [
    Place(host: "127.0.0.1", port: standardPort), Place(host: "::1", port: standardPort),
  ]

  /// The address of the metrics. Default: none.
  package var metrics: Place?

  /// The certificate for TLS. Default: none.
  package var identity: Identity?

  /// Whether addresses that other machines can reach may omit TLS. Default: no.
  package var isInsecureAllowed = false

  /// Names of the daemon besides those of loopback. Default: none.
  package var names: [String] = []

  /// Origins of pages that may connect, besides the daemon's own. Default: none.
  package var origins: [String] = []

  /// The folder of the page; `nil` serves a text that says how to set it. Default: `nil`.
  package var web: String?

  /// Which sources inspectors may see, and the editor that opens them. Default: none.
  package var sources = SourceSettings()

  /// What inspectors are notified of when the first branch is made. Default: nothing.
  package var branchNotice: String?

  /// Whether the server ends with the command that shows files, and keeps nothing. Default: no.
  package var isTemporary = false

  package var limits = ServerLimits()

  package var hosts = HostSettings()

  /// The retention limits. Default: everything is kept.
  package var retention = Retention()

  /// How often retention runs. Default: every minute, so that a limit is exceeded by at most a
  /// minute's entries.
  package var retentionInterval = Duration.seconds(60)

  /// The destination of log events. Default: none.
  package var log: any Log = SilentLog()

  package init(data: String, environment: [String: String] = [:]) {
    self.data = data
    socket = Self.standardSocket(data: data, environment: environment)
  }

  /// The default data directory: `$STATE_DIRECTORY`, else `$XDG_STATE_HOME/debugd`, else
  /// `~/.local/state/debugd`.
  package static func standardData(environment: [String: String]) -> String? {
    if let path = absolute(environment["STATE_DIRECTORY"]) { return path }
    if let path = absolute(environment["XDG_STATE_HOME"]) { return path + "/debugd" }
    return absolute(environment["HOME"]).map { $0 + "/.local/state/debugd" }
  }

  /// The default Unix socket: in `$XDG_RUNTIME_DIR/debugd` if that is set, else in `run` of the
  /// data directory. Recorders look in the same places.
  package static func standardSocket(data: String, environment: [String: String]) -> String {
    (absolute(environment["XDG_RUNTIME_DIR"]).map { $0 + "/debugd" } ?? data + "/run")
      + "/recorder.sock"
  }

  /// A relative path in a variable is ignored, as the XDG specification demands.
  private static func absolute(_ path: String?) -> String? {
    path.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The file with the recorders' secret.
  package var secretFile: String { data + "/recorder.secret" }

  /// The file with what sessions did.
  package var auditFile: String { data + "/audit.log" }

  /// The file with the inspectors' sessions.
  package var sessionFile: String { data + "/sessions.json" }
}

extension ServerConfiguration {
  /// The folder of the page: the given one, else `DEBUGD_WEB`, else `share/debugd/web` next to the
  /// folder of the executable, else `web` of the clone whose `.build` folder holds the executable;
  /// `nil` if there is none.
  ///
  /// Never one in the working directory: any program may have put it there, and its scripts would run
  /// with the permissions of the inspector.
  ///
  /// A given folder is used without a check, so that a mistake is reported.
  package static func webFolder(
    given: String?, environment: [String: String], executable: String,
    exists: (String) -> Bool
  ) -> String? {
    if let given = given ?? environment["DEBUGD_WEB"], !given.isEmpty { return given }
    var candidates: [String] = []
    let parts = executable.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count > 2 {
      let prefix = parts.dropLast(2).joined(separator: "/")
      candidates.append(prefix + "/share/debugd/web")
    }
    // SwiftPM builds into .build/CONFIGURATION or .build/PLATFORM/CONFIGURATION.
    for depth in [3, 4] where parts.count > depth && parts[parts.count - depth] == ".build" {
      candidates.append(parts.dropLast(depth).joined(separator: "/") + "/web")
    }
    return candidates.first { exists($0 + "/index.html") }
  }
}
