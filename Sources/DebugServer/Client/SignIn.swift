internal import Timelines
internal import Wire

/// The inspector's side of the proofs over TCP: both ends know the key's secret, which is never sent.
struct SignIn: Sendable {
  /// The `Host` of the request, which the proofs name.
  let host: String

  private let key: AccessKey
  private let client: String
  private let nonce: String

  /// Whether the daemon has proved that it knows the key.
  private(set) var isDaemonProven = false

  init(_ key: AccessKey, host: String, client: String, nonce: String = Token.random(bytes: 16)) {
    self.key = key
    self.host = host.lowercased()
    self.client = client
    self.nonce = nonce
  }

  /// The first message, which names the key.
  var hello: FromInspector.Hello {
    FromInspector.Hello {
      $0.key = key.name
      $0.nonce = nonce
    }
  }

  /// Checks the daemon's proof; returns the message with our own.
  mutating func answer(
    _ challenge: ToInspector.Challenge
  ) throws(BackendError) -> FromInspector.Hello {
    let proof = ProofText.Inspection(
      host: host, key: key.name, inspectorNonce: nonce, daemonNonce: challenge.nonce)
    let secret = Array(key.secret.utf8)
    guard ProofText.isNonce(challenge.nonce), !isDaemonProven,
      ProofText.isSame(challenge.proof, as: ProofText.proof(of: proof.daemon, secret: secret))
    else { throw Self.unproven }
    isDaemonProven = true
    return FromInspector.Hello {
      $0.proof = ProofText.proof(of: proof.inspector, secret: secret)
      $0.client = client
    }
  }

  /// A program that has not proved that it is the daemon refuses to go on. It may be the daemon, which
  /// cannot prove itself with a key that has ended; or it may advise anything.
  static func refused(_ reply: ErrorReply) -> BackendError {
    var reply = reply
    let words = String(String.UnicodeScalarView(reply.message.unicodeScalars.prefix(1_000)))
    reply.message =
      "The program at that address, which did not prove that it is the daemon, says: \(words)"
    return .refused(reply)
  }

  /// Another program answers at the daemon's address.
  static let unproven = BackendError.refused(
    Refusal(
      .unauthorised,
      """
      The program at that address does not know the key, so it is not the daemon; nothing was sent. \
      To fix, check the address.
      """
    ).reply)
}

/// A key for another daemon: `<name>.<secret>`.
package struct AccessKey: Sendable {
  let name: String
  let secret: String

  /// Reads a key; `nil` for anything else, such as a one-time code.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].first == "s", parts[0].dropFirst().allSatisfy(\.isNumber),
      parts[0].count > 1, parts[1].utf8.count >= 32,
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    name = String(parts[0])
    secret = String(parts[1])
  }
}
