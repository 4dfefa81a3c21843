extension ToRecorder {
  /// Answers a `hello` over TCP: contains the daemon's proof, and requests the recorder's.
  package struct Challenge: Message {
    package static let type = "challenge"
    /// 16 to 32 random bytes in hexadecimal digits.
    package var nonce = ""
    /// The daemon's proof for the recorder's nonce.
    package var proof = ""

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("nonce", &nonce)
      try fields.field("proof", &proof)
    }
  }

  /// Accepts the recorder.
  ///
  /// The recorder continues each timeline with `durable + 1`.
  package struct Welcome: Message {
    package static let type = "welcome"
    /// The protocol that the daemon speaks.
    package var version = ProtocolVersion.current
    /// The bytes of `append` that may be sent.
    package var credit: Int64 = 0
    /// The maximum bytes of one message.
    package var maxMessage: Int64 = 0
    /// The last durable seq of each timeline that `hello` named; `null` if the daemon does not know
    /// the timeline.
    package var durable = DurableSeqs()
    /// How many timelines may be open; only for a recorder that may park timelines.
    package var maxTimelines: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("version", &version)
      try fields.field("credit", &credit)
      try fields.field("maxMessage", &maxMessage)
      try fields.field("durable", &durable)
      try fields.field("maxTimelines", &maxTimelines)
    }
  }
}
