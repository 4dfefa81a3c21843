internal import Synchronization

/// The secret that recorders over TCP share with the daemon: 256 random bits in a file that only
/// the owner can read.
///
/// The key of proofs is the file's text without the final line feed; a file that the daemon made
/// holds 64 hexadecimal digits.
/// hexadecimal digits.
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

  /// Reads the secret, or makes one if there is none yet.
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
    guard var bytes = try file.read(limit: 1_024) else { return nil }
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    guard bytes.count >= 16 else {
      throw PrivateFileError(.content("a secret of 16 bytes or more"), path: file.path)
    }
    return RecorderSecret(bytes: bytes)
  }
}

/// The current secret, which changes when its file does.
final class RecorderSecretSlot: Sendable {
  private let secret: Mutex<RecorderSecret>

  init(_ secret: RecorderSecret) {
    self.secret = Mutex(secret)
  }

  /// Replaces the secret; returns whether it changed.
  func replace(with other: RecorderSecret) -> Bool {
    secret.withLock { secret in
      defer { secret = other }
      return !ConstantTime.equal(secret.bytes, other.bytes)
    }
  }
}
