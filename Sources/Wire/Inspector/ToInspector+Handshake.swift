extension ToInspector {
  /// Answers a `hello` over TCP: contains the daemon's proof, and requests the inspector's.
  package struct Challenge: Message {
    package static let type = "challenge"
    /// 16 to 32 random bytes in hexadecimal digits.
    package var nonce = ""
    /// The daemon's proof for the inspector's nonce.
    package var proof = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("nonce", &nonce)
      try fields.field("proof", &proof)
    }
  }

  /// Accepts the inspector.
  package struct Welcome: Message {
    package static let type = "welcome"
    /// The protocol that the daemon speaks.
    package var version = ProtocolVersion.current
    /// The daemon's own version.
    package var daemon = ""
    /// The name of the session, over TCP: the `key` of the next `hello`.
    package var session: String?
    /// The run of the daemon, over TCP: it changes whenever the daemon starts.
    package var boot: String?
    /// What the session may do.
    package var capabilities = [Capability]()
    /// The maximum bytes of one message to the daemon.
    package var maxMessage: Int64 = 0
    /// Whether the daemon belongs to `debugd view`: it ends with the command, and keeps nothing.
    package var temporary: Bool?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("version", &version)
      try fields.field("daemon", &daemon)
      try fields.field("session", &session)
      try fields.field("boot", &boot)
      try fields.field("capabilities", &capabilities)
      try fields.field("maxMessage", &maxMessage)
      try fields.field("temporary", &temporary)
    }
  }
}
