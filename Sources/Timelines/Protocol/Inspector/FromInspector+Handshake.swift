extension FromInspector {
  /// Opens the connection.
  ///
  /// Over the Unix socket neither is needed: the owner is checked.
  package struct Hello: Message {
    package static let type = "hello"
    /// The protocol that the inspector speaks.
    package var version = ProtocolVersion.current
    /// The token of a session.
    package var session: String?
    /// The one-time code from which a session is made.
    package var code: String?
    /// What it is, for the list of sessions.
    package var client: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("version", &version)
      try fields.field("session", &session)
      try fields.field("code", &code)
      try fields.field("client", &client)
    }
  }
}
