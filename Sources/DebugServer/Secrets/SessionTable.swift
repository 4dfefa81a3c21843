package import Timelines

/// The inspectors that were let in by a code and may come back without one.
///
/// Both ends prove that they know a session's secret; it is never sent. It is stored in a private file,
/// as the secret of recorders is, so that pages which are open reconnect after the daemon restarts.
package struct SessionTable: Sendable {
  /// The sessions that may be kept at once; the oldest gives way.
  package static let limit = 64

  /// A session.
  package struct Session: Hashable, Sendable {
    /// Its name in lists; not a secret.
    package var id: String
    /// The key of its proofs.
    package var secret: String
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

  /// Makes a session; returns the sessions that were dropped for it, too.
  package mutating func add(
    secret: String, capabilities: [Capability], client: String?, at created: Timestamp
  ) -> (session: Session, dropped: [Session]) {
    let dropped = sessions.count >= Self.limit ? [sessions.removeFirst()] : []
    let session = Session(
      id: "s\(next)", secret: secret, capabilities: capabilities, client: client, created: created)
    next &+= 1
    sessions.append(session)
    return (session, dropped)
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
