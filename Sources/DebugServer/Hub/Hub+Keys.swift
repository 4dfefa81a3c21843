internal import Timelines
internal import Wire

/// Keys for programs, such as CI: sessions with few capabilities, which expire.
extension Hub {
  /// The seconds for which a key is valid unless the request says otherwise: 90 days.
  static let keySeconds: Int64 = 90 * 86_400

  /// The longest time for which a key is valid: two years.
  static let maximumKeySeconds: Int64 = 2 * 366 * 86_400

  /// Closes an inspector whose key has expired. Returns whether it did.
  mutating func closeIfExpired(_ peer: PeerID) -> Bool {
    guard let inspector = inspectors[peer], inspector.isReady,
      let session = inspector.admission?.session.flatMap({ sessions.session(id: $0) }),
      session.isExpired(at: settings.time())
    else { return false }
    close(peer, .revoked, Self.expiry(of: session))
    return true
  }

  /// Whether an inspector may receive news. Closes it if its key has expired.
  mutating func mayReceiveNews(_ peer: PeerID) -> Bool {
    // Until its disconnection is reported, a connection that was closed is still listed.
    inspectors[peer]?.isReady == true && !closeIfExpired(peer)
  }

  /// That a key has expired, and how to get another one like it.
  static func expiry(of key: SessionTable.Session) -> String {
    let kind = key.capabilities.contains(.push) ? "push" : "pull"
    return
      "The key has expired. To get a new one, run on the daemon's machine: debugd open --key \(kind)"
  }

  /// Makes a key, for the daemon's own user.
  mutating func issueKey(_ invite: FromInspector.Invite, id: RequestID, to peer: PeerID) {
    let capabilities = invite.capabilities ?? [.push]
    let seconds = invite.seconds ?? Self.keySeconds
    guard !capabilities.isEmpty, Set(capabilities).isSubset(of: [.look, .push]) else {
      let refusal = Refusal(
        .wrongValue, "A key can only 'look' and 'push'.", path: "capabilities")
      return refuse(id, with: refusal, to: peer)
    }
    guard (1...Self.maximumKeySeconds).contains(seconds) else {
      let days = Self.maximumKeySeconds / 86_400
      let refusal = Refusal(
        .wrongValue, "A key is valid for 1 second to \(days) days.", path: "seconds")
      return refuse(id, with: refusal, to: peer)
    }
    let now = settings.time()
    let secret = settings.token()
    let made = sessions.issueKey(
      secret: secret, capabilities: capabilities, client: client(named: invite.client), at: now,
      until: Timestamp(microseconds: now.microseconds + seconds * 1_000_000))
    guard let made else {
      let refusal = Refusal(
        .limit,
        """
        There are \(SessionTable.keyLimit) valid keys already. To end one, run: debugd revoke \
        SESSION
        """)
      return refuse(id, with: refusal, to: peer)
    }
    for old in made.dropped { endSession(old.id) }
    log(.info, "key.issued", "A key was issued.", ["session": made.key.id, "seconds": seconds])
    audit("key.issued", by: peer, other: made.key.id)
    actions.append(.save(sessions))
    let reply = ToInspector.Invite {
      $0.code = "\(made.key.id).\(secret)"
      $0.seconds = seconds
      $0.page = page
    }
    answer(id, with: .invite(reply), to: peer)
  }
}
