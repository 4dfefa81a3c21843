import DebugServer
import JSONCore
import Timelines
import Wire

/// An inspector's side of the handshake over TCP, step by step.
extension HubWorld {
  static let nonce = String(repeating: "a1", count: 16)

  /// Sends the first `hello`; returns the daemon's challenge, or what it answered instead.
  mutating func challenge(
    _ peer: PeerID, key: String, boot: String? = nil, nonce: String = Self.nonce
  ) -> JSON {
    let boot = boot.map { #","boot":"\#($0)""# } ?? ""
    send(
      #"{"type":"hello","version":"1.0","key":"\#(key)"\#(boot),"nonce":"\#(nonce)"}"#, as: peer)
    return receive(as: peer).first ?? .null
  }

  /// The texts of a handshake, as the inspector knows them.
  func texts(of challenge: JSON, key: String, host: String = Self.host) -> ProofText.Inspection {
    ProofText.Inspection(
      host: host, key: key, inspectorNonce: Self.nonce,
      daemonNonce: challenge["nonce"]?.string ?? "")
  }

  /// Sends the second `hello`; returns what the daemon answered.
  mutating func prove(_ peer: PeerID, _ proof: String) -> JSON {
    send(#"{"type":"hello","version":"1.0","proof":"\#(proof)","client":"a test"}"#, as: peer)
    return receive(as: peer).first ?? .null
  }

  /// The whole handshake; returns the welcome, or what the daemon answered instead.
  mutating func signIn(
    _ peer: PeerID, key: String, secret: String, boot: String? = nil, host: String = Self.host
  ) -> JSON {
    let challenge = challenge(peer, key: key, boot: boot)
    guard challenge["type"] == "challenge" else { return challenge }
    let texts = texts(of: challenge, key: key, host: host)
    return prove(peer, ProofText.proof(of: texts.inspector, secret: Array(secret.utf8)))
  }

  /// A new code for an inspector over TCP: its name and its secret.
  mutating func code(_ capabilities: String? = nil) -> (key: String, secret: String) {
    let local = inspector()
    _ = receive(as: local)
    let wish = capabilities.map { #","capabilities":\#($0)"# } ?? ""
    send(#"{"type":"invite","id":1\#(wish)}"#, as: local)
    // swift-format-ignore
    let parts = (receive(as: local).first?["code"]?.string ?? "").split(separator: ".").map(String.init)
    return parts.count == 2 ? (parts[0], parts[1]) : ("", "")
  }

  /// A table with one session, `s1`.
  static func session(
    _ capabilities: [Capability] = Capability.allCases, secret: String = "t1"
  ) -> SessionTable {
    var table = SessionTable()
    _ = table.add(
      secret: secret, capabilities: capabilities, client: nil, at: Timestamp(microseconds: 0))
    return table
  }
}
