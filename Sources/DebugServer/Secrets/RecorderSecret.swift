/// What recorders over TCP share with the daemon: 256 random bits in a file that only the owner reads.
///
/// The file holds 64 lower-case hexadecimal digits and a line feed. The key of proofs are the digits
/// as they stand there, so that a recorder need not know what kind of text a secret is.
package struct RecorderSecret: Sendable {
  /// The key of proofs.
  package let bytes: [UInt8]

  /// A secret of these bytes.
  ///
  /// - Precondition: there are 16 or more.
  package init(bytes: [UInt8]) {
    precondition(bytes.count >= 16, "a secret has at least 128 bits")
    self.bytes = bytes
  }

  /// Reads the secret, or makes one when there is none yet.
  package static func load(orCreateAt path: String) throws(PrivateFileError) -> RecorderSecret {
    let file = PrivateFile(path)
    if let secret = try read(file) { return secret }
    try file.create(with: Array((Token.random() + "\n").utf8))
    guard let secret = try read(file) else {
      throw PrivateFileError(.content("a secret"), path: path)
    }
    return secret
  }

  private static func read(_ file: PrivateFile) throws(PrivateFileError) -> RecorderSecret? {
    guard var text = try file.read(limit: 1_024).map({ String(decoding: $0, as: UTF8.self) }) else {
      return nil
    }
    while text.last?.isNewline == true { text.removeLast() }
    guard let bytes = Token.bytes(hex: text), bytes.count >= 16 else {
      throw PrivateFileError(.content("a secret of 32 to 64 hexadecimal digits"), path: file.path)
    }
    return RecorderSecret(bytes: Array(text.utf8))
  }
}
