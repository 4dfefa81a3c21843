package import Timelines

extension ToInspector {
  /// Answers `status`.
  package struct Status: Message {
    package static let type = "status"
    package static let role = MessageRole.reply
    /// The daemon's version.
    package var daemon = ""
    /// How long it has run.
    package var seconds: Int64 = 0
    /// How many recorders are connected.
    package var recorders: Int64 = 0
    /// How many inspectors are connected.
    package var inspectors: Int64 = 0
    /// How many timelines there are.
    package var timelines: Int64 = 0
    /// How many entries they have.
    package var entries: Int64 = 0
    /// Their size on disk.
    package var bytes: Int64 = 0
    /// The database: `SQLite`, or the address of another one, without a password.
    package var store: String?
    /// On how many machines an entry is when it is acknowledged; absent before that is known.
    package var machines: Int64?
    /// How many entries came twice and were dropped.
    package var dropped: Int64?
    /// Why it acknowledges nothing.
    package var problem: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("daemon", &daemon)
      try fields.field("seconds", &seconds)
      try fields.field("recorders", &recorders)
      try fields.field("inspectors", &inspectors)
      try fields.field("timelines", &timelines)
      try fields.field("entries", &entries)
      try fields.field("bytes", &bytes)
      try fields.field("store", &store)
      try fields.field("machines", &machines)
      try fields.field("dropped", &dropped)
      try fields.field("problem", &problem)
    }
  }

  /// Answers `prune`.
  package struct Prune: Message {
    package static let type = "prune"
    package static let role = MessageRole.reply
    /// The timelines that were deleted.
    package var deleted = [TimelineID]()
    /// The timelines whose beginning was cut off.
    package var shortened = [TimelineID]()
    /// What was done and why, one sentence each.
    package var sentences = [String]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("deleted", &deleted)
      try fields.field("shortened", &shortened)
      try fields.field("sentences", &sentences)
    }
  }

  /// Something wrong with the stored data.
  package struct Finding: MessagePart {
    /// What is wrong, a sentence.
    package var text = ""
    /// The timeline that it concerns.
    package var timeline: TimelineID?
    /// The entries that it concerns.
    package var seqs: SeqRange?
    /// What caused it: the database, or what a recorder or a host sent.
    package var origin = FindingOrigin.storage

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("text", &text)
      try fields.field("timeline", &timeline)
      try fields.field("seqs", &seqs)
      try fields.field("origin", &origin)
    }
  }

  /// Answers `check`.
  package struct Check: Message {
    package static let type = "check"
    package static let role = MessageRole.reply
    /// How many timelines were read.
    package var timelines: Int64 = 0
    /// How many entries were read.
    package var entries: Int64 = 0
    /// What is wrong; empty if nothing is.
    package var findings = [Finding]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timelines", &timelines)
      try fields.field("entries", &entries)
      try fields.field("findings", &findings)
    }
  }

  /// A session of a browser, or a key of a program.
  package struct Session: MessagePart {
    /// Its id.
    package var id = ""
    /// What it may do.
    package var capabilities = [Capability]()
    /// The name that it gave itself.
    package var client: String?
    /// When it was made, in the form of RFC 3339.
    package var created = ""
    /// When a key expires, in the form of RFC 3339; absent for a session that a page made.
    package var expires: String?
    /// Whether it is connected.
    package var connected = false
    /// Whether it is the receiver's own.
    package var yours = false
    /// The timelines that its connections follow; absent for none.
    package var watching: [TimelineID]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("id", &id)
      try fields.field("capabilities", &capabilities)
      try fields.field("client", &client)
      try fields.field("created", &created)
      try fields.field("expires", &expires)
      try fields.flag("connected", &connected)
      try fields.flag("yours", &yours)
      try fields.field("watching", &watching)
    }
  }

  /// Answers `sessions`, with its `id` as `re`; without `re`, reports who is connected and what they
  /// follow, to sessions with *change* that watch the list of timelines.
  package struct Sessions: Message {
    package static let type = "sessions"
    /// The sessions.
    package var sessions = [Session]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("sessions", &sessions)
    }
  }

  /// Answers `invite`.
  package struct Invite: Message {
    package static let type = "invite"
    package static let role = MessageRole.reply
    /// The code, which is valid once; or the key, until it expires.
    package var code = ""
    /// The seconds for which it is valid.
    package var seconds: Int64 = 0
    /// Where the inspector is, when the daemon listens on a port.
    package var page: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("code", &code)
      try fields.field("seconds", &seconds)
      try fields.field("page", &page)
    }
  }

  /// A host, which can run reducers.
  package struct HostSummary: MessagePart, Hashable {
    /// The name.
    package var name = ""
    /// Where it runs reducers.
    package var place = HostPlace.process
    /// The expressions of the machines that it can make.
    package var makes = [String]()
    /// Whether it is working.
    package var busy = false
    /// Why it cannot be used.
    package var problem: String?
    /// The app whose machines it makes; absent if unknown, or for all.
    package var app: String?
    /// The version of that app. An executable with one serves other versions only if named.
    package var version: String?
    /// The executable that the daemon starts, if it is such a host.
    package var executable: String?
    /// When its process was started, in the form of RFC 3339; absent while none runs.
    package var started: String?
    /// Why it was started again, a sentence: its file changed, or it ended.
    package var restarted: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("name", &name)
      try fields.field("place", &place)
      try fields.field("makes", &makes)
      try fields.flag("busy", &busy)
      try fields.field("problem", &problem)
      try fields.field("app", &app)
      try fields.field("version", &version)
      try fields.field("executable", &executable)
      try fields.field("started", &started)
      try fields.field("restarted", &restarted)
    }
  }

  /// Answers `hosts`, with its `id` as `re`; without `re`, reports that the hosts have changed.
  package struct Hosts: Message {
    package static let type = "hosts"
    /// The hosts, in the order in which the daemon tries them.
    package var hosts = [HostSummary]()

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("hosts", &hosts)
    }
  }

  /// Shows a notice.
  package typealias Notice = NoticeMessage
}
