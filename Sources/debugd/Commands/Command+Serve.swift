import DebugServer
import Foundation

extension CommandSpec {
  /// `debugd serve`, and `debugd` alone.
  static let serve = CommandSpec(
    name: "serve", summary: "store what recorders send, and serve the inspector",
    options: ServeOptions.all,
    details: """
      Recorders on this machine find the daemon through a Unix socket that only you can open. The \
      inspector is served on a port of this machine; 'debugd open' opens it. To let other machines \
      connect, use --listen with a certificate; to allow other names, use --name.

      Hosts run reducers in their own processes, for branches, undo, and states that were not \
      captured. The daemon starts each executable once to learn what it makes, keeps it while it is \
      used, and restarts it when its file changes or the process ends. In the configuration file, \
      each 'host' is a line.

      TERM and Ctrl-C stop the daemon, and HUP reloads the configuration file.
      """,
    examples: [
      ("debugd", "serve only this machine"),
      (
        "debugd serve --listen 0.0.0.0:7357 --certificate box.pem --key box.key --name box.local",
        "let devices record to this machine, over TLS"
      ),
      (
        "debugd serve --host .build/debug/Commute",
        "run the reducers of this executable, whose main calls ReducerHost.runIfAsked(…)"
      ),
      (
        "debugd serve --source ~/shop --editor vscode",
        "show call sites with their lines, as links that open them in VS Code"
      ),
      (
        "debugd serve --store service=timelines",
        "store the timelines in a PostgreSQL database, which one daemon at a time may serve"
      ),
      (
        "debugd serve --store service=timelines --standby",
        "take over when the daemon that serves the database ends"
      ),
      ("debugd serve --retain-bytes 20G --retain-age 30d", "delete what is older or larger"),
    ]
  ) { arguments, terminal in
    try await ServeCommand(arguments, terminal).run()
  }
}

/// The options of `serve`, which the configuration file may give as well.
enum ServeOptions {
  static let all: [OptionSpec] = [
    .data,
    .value(
      "store", nil, "ADDRESS",
      "a PostgreSQL database for the timelines (default: a file in the data)",
      environment: "DEBUGD_STORE", isConfigurable: true),
    .flag(
      "standby", nil, "wait while another daemon serves the database, then take over",
      isConfigurable: true),
    .value(
      "listen", "l", "ADDRESS",
      "where to listen (default: 127.0.0.1:7357 and [::1]:7357); port 0 picks a free one",
      repeats: true, environment: "DEBUGD_LISTEN", isConfigurable: true),
    .socket,
    .value(
      "web", "w", "FOLDER", "the inspector's page", environment: "DEBUGD_WEB", isConfigurable: true),
    .value(
      "certificate", nil, "FILE", "use TLS with this certificate, as PEM", isConfigurable: true),
    .value("key", nil, "FILE", "the certificate's private key, as PEM", isConfigurable: true),
    .flag("insecure", nil, "allow other machines without TLS", isConfigurable: true),
    .value(
      "name", nil, "NAME", "a name that browsers may use for this machine", repeats: true,
      isConfigurable: true),
    .value(
      "origin", nil, "ORIGIN", "the origin of another page that may connect", repeats: true,
      isConfigurable: true),
    .host, .hostTime, .hostMemory, .source, .editor,
    .value(
      "metrics", nil, "ADDRESS", "where to serve metrics for Prometheus (default: nowhere)",
      environment: "DEBUGD_METRICS", isConfigurable: true),
    .value(
      "retain-bytes", nil, "BYTES", "the maximum size of all timelines: 20G, 500M",
      environment: "DEBUGD_RETAIN_BYTES",
      isConfigurable: true),
    .value(
      "retain-age", nil, "AGE", "the maximum age of a timeline: 30d, 12h",
      environment: "DEBUGD_RETAIN_AGE",
      isConfigurable: true),
    .value(
      "retain-count", nil, "N", "the maximum number of timelines of an app",
      environment: "DEBUGD_RETAIN_COUNT", isConfigurable: true),
    .value(
      "log-level", nil, "LEVEL", "what to log (default: info)",
      choices: ["debug", "info", "warning", "error"], environment: "DEBUGD_LOG_LEVEL",
      isConfigurable: true),
    .value(
      "log-form", nil, "FORM", "the form of the log (default: human on a terminal, else json)",
      choices: ["human", "json"], environment: "DEBUGD_LOG_FORM", isConfigurable: true),
    .value(
      "config", "c", "FILE", "a configuration file (default: ~/.config/debugd/config)",
      environment: "DEBUGD_CONFIG"),
  ]
}
