package import Timelines

extension FromRecorder {
  /// Opens the connection.
  ///
  /// Over a Unix socket one `hello` is enough: both ends check the owner of the other. Over TCP the
  /// first carries `version` and `nonce` alone, the second, after `challenge`, the rest.
  package struct Hello: Message {
    package static let type = "hello"
    /// The protocol that the recorder speaks.
    package var version = ProtocolVersion.current
    /// 16 to 32 random bytes in hexadecimal digits; sent over TCP, answered by `challenge`.
    package var nonce: String?
    /// The proof for the daemon's nonce, in the second `hello` over TCP.
    package var proof: String?
    /// A name of the app's run, random for each process; the same in all its headers. A connection
    /// with the same run replaces an older one.
    package var run: String?
    /// The timelines that it has begun and not closed, at most 1,000.
    package var timelines: [TimelineID]?
    /// What the daemon may request from it; absent for nothing.
    package var can: Abilities?
    /// Whether it may park timelines. The daemon then acknowledges each `open` and `close`.
    package var parks = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("version", &version)
      try fields.field("nonce", &nonce)
      try fields.field("proof", &proof)
      try fields.field("run", &run)
      try fields.field("timelines", &timelines)
      try fields.field("can", &can)
      try fields.flag("parks", &parks)
    }
  }

  /// What a recorder can do on request.
  package struct Abilities: MessagePart {
    /// Whether the app opted in to control.
    package var control = false
    /// How it runs reducers; absent if it does not.
    package var host: HostOffer?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.flag("control", &control)
      try fields.field("host", &host)
    }
  }

  /// How a recorder runs reducers.
  package struct HostOffer: MessagePart {
    /// Where the reducers run.
    package var place = HostPlace.process
    /// The expressions of the machines that it can make, as headers have them in `machine.make`.
    package var makes = [String]()
    /// Whether it answers `confirm`.
    package var confirms = false
    /// Whether it keeps the steps of timelines between requests.
    package var keeps = false
    /// Whether it answers `reduce` with `expand`.
    package var expands = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("place", &place)
      try fields.field("makes", &makes)
      try fields.flag("confirms", &confirms)
      try fields.flag("keeps", &keeps)
      try fields.flag("expands", &expands)
    }
  }
}
