package import Timelines

/// Who may look without a code: inspectors that showed one once.
///
/// Of a session's token only the hash is kept, in memory and on disk.
package struct SessionTable: Sendable {
  /// The sessions that may be kept at once; the oldest gives way.
  package static let limit = 64

  /// A session.
  package struct Session: Hashable, Sendable {
    /// Its name in lists; not a secret.
    package var id: String
    /// SHA-256 of its token.
    package var hash: [UInt8]
    /// What it may do.
    package var capabilities: [Capability]
    /// What it said it is.
    package var client: String?
    /// When it was made.
    package var created: Timestamp
  }

  /// The sessions, the oldest first.
  package private(set) var sessions: [Session]

  /// The number in the next session's id.
  private var next: Int

  /// A table with these sessions.
  package init(_ sessions: [Session] = []) {
    self.sessions = Array(sessions.suffix(Self.limit))
    next = 1 + (sessions.compactMap { Int($0.id.dropFirst()) }.max() ?? 0)
  }

  /// Makes a session; answers the sessions that gave way to it, too.
  package mutating func add(
    token: String, capabilities: [Capability], client: String?, at created: Timestamp
  ) -> (session: Session, dropped: [Session]) {
    let dropped = sessions.count >= Self.limit ? [sessions.removeFirst()] : []
    let session = Session(
      id: "s\(next)", hash: SHA256.hash(Array(token.utf8)), capabilities: capabilities,
      client: client, created: created)
    next &+= 1
    sessions.append(session)
    return (session, dropped)
  }

  /// The session of a token.
  package func session(token: String) -> Session? {
    let hash = SHA256.hash(Array(token.utf8))
    var found: Session?
    for session in sessions where ConstantTime.equal(session.hash, hash) { found = session }
    return found
  }

  /// The session of an id.
  package func session(id: String) -> Session? { sessions.first { $0.id == id } }

  /// Ends a session; `false` when there is none of that id.
  package mutating func revoke(id: String) -> Bool {
    guard let index = sessions.firstIndex(where: { $0.id == id }) else { return false }
    sessions.remove(at: index)
    return true
  }
}
