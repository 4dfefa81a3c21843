extension FromInspector {
  /// Asks how the daemon does.
  package struct Status: Message {
    package static let type = "status"
    package static let role = MessageRole.request

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) {}
  }

  /// Deletes what is more than may be kept, the oldest first; marked timelines stay.
  package struct Prune: Message {
    package static let type = "prune"
    package static let role = MessageRole.request
    /// The bytes that all may take on disk.
    package var bytes: Int64?
    /// How long a timeline is kept after its last entry.
    package var seconds: Int64?
    /// How many timelines of an app are kept.
    package var perApp: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("bytes", &bytes)
      try fields.field("seconds", &seconds)
      try fields.field("perApp", &perApp)
    }
  }

  /// Asks whether everything that is stored can be read.
  package struct Check: Message {
    package static let type = "check"
    package static let role = MessageRole.request
    /// Whether every entry is looked at, not only the database's own order.
    package var thorough = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.flag("thorough", &thorough)
    }
  }

  /// Asks who may look.
  package struct Sessions: Message {
    package static let type = "sessions"
    package static let role = MessageRole.request

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) {}
  }

  /// Ends a session.
  package struct Revoke: Message {
    package static let type = "revoke"
    package static let role = MessageRole.request
    /// Its name.
    package var session = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("session", &session)
    }
  }

  /// Asks for a one-time code, from which another inspector makes its session.
  ///
  /// Answered over the Unix socket only, to the daemon's own user.
  package struct Invite: Message {
    package static let type = "invite"
    package static let role = MessageRole.request
    /// What the session may do; absent for everything but starting hosts.
    package var capabilities: [Capability]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("capabilities", &capabilities)
    }
  }

  /// Asks what can run reducers.
  package struct Hosts: Message {
    package static let type = "hosts"
    package static let role = MessageRole.request

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) {}
  }

  /// Starts an executable as a host.
  package struct Host: Message {
    package static let type = "host"
    package static let role = MessageRole.request
    /// Its path on the daemon's machine.
    package var executable = ""
    /// Its arguments.
    package var arguments: [String]?
    /// The app whose timelines it serves; absent for all.
    package var app: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("executable", &executable)
      try fields.field("arguments", &arguments)
      try fields.field("app", &app)
    }
  }
}
