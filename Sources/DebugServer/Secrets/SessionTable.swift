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
    package var capabilities: [Capability]
    /// The name that the client reported.
    package var client: String?
    package var created: Timestamp
    /// When it expires; `nil` for a session that a page made with a code.
    package var expires: Timestamp?
    /// The newest copies that it began. A key that may only push continues these and no others.
    package var copies: [TimelineID] = []

    /// Whether it is no longer valid.
    package func isExpired(at now: Timestamp) -> Bool {
      expires.map { $0.microseconds <= now.microseconds } ?? false
    }
  }

  /// The sessions, the oldest first.
  package private(set) var sessions: [Session]

  /// The number in the next session's id.
  private var next: Int

  package init(_ sessions: [Session] = []) {
    self.sessions = Array(sessions.suffix(Self.limit))
    // A file may have any id.
    let numbers = sessions.compactMap { Int($0.id.dropFirst()) }.filter { $0 < Int.max }
    next = 1 + (numbers.max() ?? 0)
  }

  /// Makes a session; returns the sessions that were dropped for it, too.
  package mutating func add(
    secret: String, capabilities: [Capability], client: String?, at created: Timestamp
  ) -> (session: Session, dropped: [Session]) {
    let dropped = makeRoom(at: created)
    let session = Session(
      id: "s\(next)", secret: secret, capabilities: capabilities, client: client, created: created)
    next &+= 1
    sessions.append(session)
    return (session, dropped)
  }

  /// Makes a key: a session for a program, with a secret that the caller passes on. `nil` if there
  /// are too many valid ones.
  package mutating func issueKey(
    secret: String, capabilities: [Capability], client: String?, at created: Timestamp,
    until expires: Timestamp
  ) -> (key: Session, dropped: [Session])? {
    let valid = sessions.count { $0.expires != nil && !$0.isExpired(at: created) }
    guard valid < Self.keyLimit else { return nil }
    var made = add(secret: secret, capabilities: capabilities, client: client, at: created)
    made.session.expires = expires
    sessions[sessions.count - 1] = made.session
    return (made.session, made.dropped)
  }

  /// The maximum number of valid keys, so that pages always have room.
  package static let keyLimit = 32

  /// Drops a session if the table is full: an expired key, or else the oldest session of a page.
  /// Signing in never ends a valid key.
  private mutating func makeRoom(at now: Timestamp) -> [Session] {
    guard sessions.count >= Self.limit else { return [] }
    let expired = sessions.firstIndex { $0.isExpired(at: now) }
    let index = expired ?? sessions.firstIndex { $0.expires == nil } ?? 0
    return [sessions.remove(at: index)]
  }

  /// Records that a session began a copy; returns whether that is new.
  package mutating func began(_ copy: TimelineID, by session: String) -> Bool {
    guard let index = sessions.firstIndex(where: { $0.id == session }),
      !sessions[index].copies.contains(copy)
    else { return false }
    sessions[index].copies = sessions[index].copies.suffix(Self.copyLimit - 1) + [copy]
    return true
  }

  /// The maximum number of copies that a session is known to have begun.
  static let copyLimit = 400

  package func session(id: String) -> Session? { sessions.first { $0.id == id } }

  /// Ends a session; returns false if the id is unknown.
  package mutating func revoke(id: String) -> Bool {
    guard let index = sessions.firstIndex(where: { $0.id == id }) else { return false }
    sessions.remove(at: index)
    return true
  }
}
