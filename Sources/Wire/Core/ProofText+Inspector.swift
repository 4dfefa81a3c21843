extension ProofText {
  /// The texts over which daemon and inspector prove to each other that they know a key.
  ///
  /// Each text names the direction, so that a proof cannot be reflected; the host as the inspector
  /// addressed it, so that a proof cannot be relayed from a program on another port; and both nonces,
  /// so that it cannot be replayed.
  package struct Inspection: Hashable, Sendable {
    /// The `Host` of the inspector's request, in lowercase.
    package var host: String
    /// The name of the code or session.
    package var key: String
    package var inspectorNonce: String
    package var daemonNonce: String

    package init(host: String, key: String, inspectorNonce: String, daemonNonce: String) {
      self.host = host
      self.key = key
      self.inspectorNonce = inspectorNonce
      self.daemonNonce = daemonNonce
    }

    /// The daemon's proof, before the inspector sends its own.
    package var daemon: String { text("daemon-to-inspector") }

    /// The inspector's proof.
    package var inspector: String { text("inspector-to-daemon") }

    /// The text whose proof under a code's secret is the secret of the session made from it.
    package var session: String { text("session") }

    private func text(_ purpose: String) -> String {
      "states-debugger/1 \(purpose) \(host) \(key) \(inspectorNonce) \(daemonNonce)"
    }
  }

  /// The text whose proof under a session's secret is the key for one run of the daemon.
  package static func boot(_ boot: String) -> String { "states-debugger/1 boot \(boot)" }
}
