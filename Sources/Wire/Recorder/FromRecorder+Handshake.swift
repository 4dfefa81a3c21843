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
    /// The run of the app, the same in all its headers.
    package var run: String?
    /// Its open timelines.
    package var timelines: [TimelineID]?
    /// The recorder's capabilities.
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

  /// The capabilities of a recorder.
  package struct Abilities: MessagePart {
    /// Whether the app opted in to control.
    package var control = false
    /// Its host, if it runs reducers.
    package var host: HostOffer?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.flag("control", &control)
      try fields.field("host", &host)
    }
  }

  /// The host of a recorder.
  package struct HostOffer: MessagePart {
    /// Where they run.
    package var place = HostPlace.process
    /// The expressions of the machines that it can make.
    package var makes = [String]()
    /// Whether they answer `confirm`.
    package var confirms = false
    /// Whether it keeps the steps of timelines.
    package var keeps = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("place", &place)
      try fields.field("makes", &makes)
      try fields.flag("confirms", &confirms)
      try fields.flag("keeps", &keeps)
    }
  }
}
