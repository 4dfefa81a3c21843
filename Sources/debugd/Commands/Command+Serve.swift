import DebugServer
import Foundation

extension CommandSpec {
  /// `debugd serve`, and `debugd` alone.
  static let serve = CommandSpec(
    name: "serve", summary: "store what recorders send, and serve the inspector",
    options: ServeOptions.all,
    details: """
      Recorders of this machine find it by themselves, through a Unix socket that only its user can \
      open. The inspector is served on a port of this machine; 'debugd open' opens it. Everything \
      else is asked for: other machines by --listen with a certificate, other names by --name.

      Hosts run reducers in processes of their own: for branches, undo and states that were not \
      captured. An executable is started when the daemon starts, to learn what it makes, kept while it \
      is used, and started again when its file changes or it dies. In the configuration file each \
      'host' is a line.

      TERM and Ctrl-C end it in order, HUP reads the configuration file again.
      """,
    examples: [
      ("debugd", "serve on this machine alone"),
      (
        "debugd serve --listen 0.0.0.0:7357 --certificate box.pem --key box.key --name box.local",
        "let devices record to this machine, over TLS"
      ),
      (
        "debugd serve --host .build/debug/Commute",
        "run the reducers of this executable, whose main calls ReducerHost.runIfAsked(…)"
      ),
      ("debugd serve --retain-bytes 20G --retain-age 30d", "keep no more than that"),
    ]
  ) { arguments, terminal in
    try await Serving(arguments, terminal).run()
  }
}

/// The options of `serve`, which the configuration file may give as well.
enum ServeOptions {
  static let all: [OptionSpec] = [
    .data,
    .value(
      "listen", "l", "ADDRESS",
      "where, 127.0.0.1:7357 and [::1]:7357 unless told; port 0 chooses one",
      repeats: true, environment: "DEBUGD_LISTEN", isConfigurable: true),
    .value(
      "socket", nil, "PATH", "the Unix socket of recorders and commands",
      environment: "DEBUGD_SOCKET", isConfigurable: true),
    .value(
      "web", "w", "FOLDER", "the inspector's page", environment: "DEBUGD_WEB", isConfigurable: true),
    .value(
      "certificate", nil, "FILE", "speak TLS with this certificate, as PEM", isConfigurable: true),
    .value("key", nil, "FILE", "the certificate's private key, as PEM", isConfigurable: true),
    .flag("insecure", nil, "let other machines in without TLS", isConfigurable: true),
    .value(
      "name", nil, "NAME", "a name by which browsers may call this machine", repeats: true,
      isConfigurable: true),
    .value(
      "origin", nil, "ORIGIN", "the origin of a page elsewhere that may connect", repeats: true,
      isConfigurable: true),
    .host, .hostTime, .hostMemory,
    .value(
      "retain-bytes", nil, "BYTES", "how much to keep: 20G, 500M",
      environment: "DEBUGD_RETAIN_BYTES",
      isConfigurable: true),
    .value(
      "retain-age", nil, "AGE", "how long to keep it: 30d, 12h", environment: "DEBUGD_RETAIN_AGE",
      isConfigurable: true),
    .value(
      "retain-count", nil, "N", "how many timelines of an app to keep",
      environment: "DEBUGD_RETAIN_COUNT", isConfigurable: true),
    .value(
      "log-level", nil, "LEVEL", "what to log; info unless told",
      choices: ["debug", "info", "warning", "error"], environment: "DEBUGD_LOG_LEVEL",
      isConfigurable: true),
    .value(
      "log-form", nil, "FORM", "how; for people on a terminal, as JSON lines elsewhere",
      choices: ["human", "json"], environment: "DEBUGD_LOG_FORM", isConfigurable: true),
    .value(
      "config", "c", "FILE", "a configuration file; ~/.config/debugd/config unless told",
      environment: "DEBUGD_CONFIG"),
  ]
}
