extension FromInspector {
  /// Requests the daemon's status.
  package struct Status: Message {
    package static let type = "status"
    package static let role = MessageRole.request

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) {}
  }

  /// Deletes what exceeds the limits, the oldest first; marked timelines remain.
  package struct Prune: Message {
    package static let type = "prune"
    package static let role = MessageRole.request
    /// The maximum bytes of all timelines on disk.
    package var bytes: Int64?
    /// How long a timeline is kept after its last entry.
    package var seconds: Int64?
    /// The maximum number of timelines of an app.
    package var perApp: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("bytes", &bytes)
      try fields.field("seconds", &seconds)
      try fields.field("perApp", &perApp)
    }
  }

  /// Checks whether all stored data can be read.
  package struct Check: Message {
    package static let type = "check"
    package static let role = MessageRole.request
    /// Whether to read every entry, instead of only checking the database.
    package var thorough = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.flag("thorough", &thorough)
    }
  }

  /// Requests the list of sessions.
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

  /// Requests a one-time code, with which another inspector creates its session.
  ///
  /// Answered over the Unix socket only, to the daemon's own user.
  package struct Invite: Message {
    package static let type = "invite"
    package static let role = MessageRole.request
    /// What the session may do; absent for everything but starting hosts. A key can only `look` and
    /// `push`; absent for `push`.
    package var capabilities: [Capability]?
    /// Whether to make a key that works until it expires, instead of a one-time code.
    package var key = false
    /// The seconds for which a key is valid; absent for 90 days.
    package var seconds: Int64?
    /// What a key is for, for the list of sessions.
    package var client: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("capabilities", &capabilities)
      try fields.flag("key", &key)
      try fields.field("seconds", &seconds)
      try fields.field("client", &client)
    }
  }

  /// Requests the list of hosts, which can run reducers.
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
    /// The version of that app; absent for all.
    package var version: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("executable", &executable)
      try fields.field("arguments", &arguments)
      try fields.field("app", &app)
      try fields.field("version", &version)
    }
  }
}
