extension ToInspector {
  /// Accepts the inspector.
  package struct Welcome: Message {
    package static let type = "welcome"
    /// The protocol that the daemon speaks.
    package var version = ProtocolVersion.current
    /// The daemon's own version.
    package var daemon = ""
    /// The token of the session that was made from a code; kept for the next `hello`.
    package var session: String?
    /// What the session may do.
    package var capabilities = [Capability]()
    /// The bytes that one message to the daemon may have.
    package var maxMessage: Int64 = 0

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("version", &version)
      try fields.field("daemon", &daemon)
      try fields.field("session", &session)
      try fields.field("capabilities", &capabilities)
      try fields.field("maxMessage", &maxMessage)
    }
  }
}
