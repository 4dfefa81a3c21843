extension FromInspector {
  /// Opens the connection.
  ///
  /// Over the Unix socket one `hello` is enough: both ends check the owner of the other. Over TCP the
  /// first carries `version`, `key`, and `nonce`, and the second, after `challenge`, `proof` and the
  /// rest.
  package struct Hello: Message {
    package static let type = "hello"
    /// The protocol that the inspector speaks.
    package var version = ProtocolVersion.current
    /// The name of the code or session whose secret both ends prove: the part before the dot.
    package var key: String?
    /// The run of the daemon to which the key is limited, when it is derived for one; see `welcome`.
    package var boot: String?
    /// 16 to 32 random bytes in hexadecimal digits; answered by `challenge`.
    package var nonce: String?
    /// The proof for the daemon's nonce, in the second `hello`.
    package var proof: String?
    /// What it is, for the list of sessions.
    package var client: String?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("version", &version)
      try fields.field("key", &key)
      try fields.field("boot", &boot)
      try fields.field("nonce", &nonce)
      try fields.field("proof", &proof)
      try fields.field("client", &client)
    }
  }
}
