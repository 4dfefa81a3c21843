package import Timelines
package import Wire

/// Inspectors that signed in with a code and can return without one.
///
/// Both ends prove that they know a session's secret; it is never sent. It is stored in a private
/// file, like the recorders' secret, so that open pages reconnect after the daemon restarts.
package struct SessionTable: Sendable {
  /// The maximum number of sessions; the oldest is dropped.
  package static let limit = 64

  package struct Session: Hashable, Sendable {
    /// Its name in lists; not a secret.
    package var id: String
    /// The key of its proofs.
    package var secret: String
    /// Its capabilities.
    package var capabilities: [Capability]
    /// The name that the client reported.
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

  package func session(id: String) -> Session? { sessions.first { $0.id == id } }

  /// Ends a session; returns false if the id is unknown.
  package mutating func revoke(id: String) -> Bool {
    guard let index = sessions.firstIndex(where: { $0.id == id }) else { return false }
    sessions.remove(at: index)
    return true
  }
}
