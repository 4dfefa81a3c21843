internal import Timelines
internal import Wire

/// Authenticating inspectors.
///
/// Over TCP both ends prove that they know the secret of a code or session, the daemon first.
extension Hub {
  /// The maximum length of the name that an inspector gives itself, which is listed and logged.
  private static let clientLimit = 200

  mutating func greet(_ hello: FromInspector.Hello, of peer: PeerID) {
    guard let session = inspectors[peer] else { return }
    if session.entrance == .socket {
      let name = client(of: hello) ?? "The command line"
      return accept(
        peer, InspectorSession.Admission(capabilities: Set(Capability.allCases), name: name))
    }
    guard let (proof, secret) = session.challenge else { return challenge(hello, of: peer) }
    let expected = ProofText.proof(of: proof.inspector, secret: Array(secret.utf8))
    guard let given = hello.proof, ProofText.isSame(given, as: expected) else {
      return reject(peer, "The proof is wrong. To sign in again, run: debugd open")
    }
    guard keepProved(peer, of: session.entrance) else { return }
    accept(proven: proof, secret: secret, hello, of: peer)
  }

  private mutating func challenge(_ hello: FromInspector.Hello, of peer: PeerID) {
    guard let key = hello.key else {
      return reject(peer, "Sign in with a code or a session. To get a code, run: debugd open")
    }
    guard let nonce = hello.nonce, ProofText.isNonce(nonce) else {
      return reject(
        peer, "'hello' needs a nonce: 16 to 32 bytes in lower-case hexadecimal digits.")
    }
    guard let host = inspectors[peer]?.host, let secret = secret(of: key, boot: hello.boot) else {
      return reject(peer, problem(with: key))
    }
    let proof = ProofText.Inspection(
      host: host, key: key, inspectorNonce: nonce, daemonNonce: settings.token())
    if let outputs = inspectors[peer]?.challenge(proof, secret: secret) {
      perform(outputs, of: peer)
    }
  }

  /// The secret behind the name of a code or session.
  ///
  /// With a `boot` it is the key that is derived for one run of the daemon. Browsers store that
  /// key: while the daemon is away, a program that serves a page on its port could use it, and it
  /// is void once the daemon is back.
  private func secret(of key: String, boot: String?) -> String? {
    guard let session = sessions.session(id: key) else {
      return boot == nil ? codes.secret(of: key, now: now) : nil
    }
    guard !session.isExpired(at: settings.time()) else { return nil }
    guard let boot else { return session.secret }
    guard boot == self.boot else { return nil }
    return ProofText.proof(of: ProofText.boot(boot), secret: Array(session.secret.utf8))
  }

  private func problem(with key: String) -> String {
    if let session = sessions.session(id: key), session.isExpired(at: settings.time()) {
      return Self.expiry(of: session)
    }
    return key.hasPrefix("c")
      ? "The code was used or has expired. To get a new one, run: debugd open"
      : "The session has ended. To open a new one, run: debugd open"
  }

  private mutating func accept(
    proven proof: ProofText.Inspection, secret: String, _ hello: FromInspector.Hello,
    of peer: PeerID
  ) {
    let client = client(of: hello)
    if let session = sessions.session(id: proof.key) {
      let limit = settings.limits.connectionsOfSession
      let open = inspectors.values.count { $0.isReady && $0.admission?.session == session.id }
      guard open < limit else {
        return close(
          peer, .limit,
          "The session already has \(limit) connections. To fix, close tabs of the inspector.")
      }
      return accept(
        peer,
        InspectorSession.Admission(
          session: session.id, capabilities: Set(session.capabilities),
          name: client ?? session.client ?? "An inspector"))
    }
    // Since the challenge, another connection may have used the code or revoked the session.
    guard let capabilities = codes.redeem(proof.key, now: now) else {
      return reject(peer, "The code was used or has expired. To get a new one, run: debugd open")
    }
    let made = sessions.add(
      secret: ProofText.proof(of: proof.session, secret: Array(secret.utf8)),
      capabilities: capabilities, client: client, at: settings.time())
    for old in made.dropped { endSession(old.id) }
    actions.append(.save(sessions))
    accept(
      peer,
      InspectorSession.Admission(
        session: made.session.id, capabilities: Set(capabilities),
        name: client ?? "An inspector"))
  }

  private mutating func accept(_ peer: PeerID, _ admission: InspectorSession.Admission) {
    actions.append(.limitMessages(peer, upTo: settings.limits.wire.inspectorMessage))
    let isTemporary = settings.isTemporary
    if let outputs = inspectors[peer]?.accept(admission, boot: boot, isTemporary: isTemporary) {
      perform(outputs, of: peer)
    }
    log(
      .info, "inspector.connected", "\(admission.name) is connected.",
      ["peer": peer.number, "session": admission.session ?? "local"], within: \.arrivals)
    if admission.session != nil { audit("session.opened", by: peer) }
    sessionChanged(of: peer)
  }

  private mutating func reject(_ peer: PeerID, _ sentence: String) {
    log(
      .warning, "inspector.rejected", "An inspector was rejected.", ["peer": peer.number],
      within: \.rejections)
    if let outputs = inspectors[peer]?.reject(sentence) { perform(outputs, of: peer) }
  }

  private func client(of hello: FromInspector.Hello) -> String? { client(named: hello.client) }

  func client(named name: String?) -> String? {
    name.map { String($0.unicodeScalars.prefix(Self.clientLimit).map(Character.init)) }
  }

  mutating func endSession(_ id: String) {
    for peer in inspectors.keys.sorted() where inspectors[peer]?.admission?.session == id {
      if let outputs = inspectors[peer]?.close(.revoked, "The session was revoked.") {
        perform(outputs, of: peer)
      }
    }
  }
}
