extension ToRecorder {
  /// Answers a `hello` that came over TCP: proves the daemon, asks for the recorder's proof.
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
  /// The recorder goes on from `durable + 1`; `null` says that nothing of the timeline is known.
  package struct Welcome: Message {
    package static let type = "welcome"
    /// The protocol that the daemon speaks.
    package var version = ProtocolVersion.current
    /// The bytes of `append` that may be sent.
    package var credit: Int64 = 0
    /// The bytes that one message may have.
    package var maxMessage: Int64 = 0
    /// How far each timeline of `hello` is durable.
    package var durable = DurableSeqs()
    /// How many timelines may be open; absent from a daemon that cannot park them.
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
