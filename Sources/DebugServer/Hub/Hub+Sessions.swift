internal import Timelines
internal import Wire

/// The sessions, and what each looks at.
extension Hub {
  /// Whether an inspector may list and end the sessions of others.
  func mayManageSessions(_ peer: PeerID) -> Bool {
    inspectors[peer]?.admission?.capabilities.contains(.change) == true
  }

  /// The sessions that an inspector may know about.
  func sessionList(for peer: PeerID) -> ToInspector.Sessions {
    let own = inspectors[peer]?.admission?.session
    let seesAll = mayManageSessions(peer)
    var watching: [String: Set<TimelineID>] = [:]
    for inspector in inspectors.values where inspector.isReady {
      guard let session = inspector.admission?.session else { continue }
      watching[session, default: []].formUnion(inspector.news.watches.keys)
    }
    let list = sessions.sessions.filter { seesAll || $0.id == own }.map { session in
      var summary = ToInspector.Session(session)
      summary.connected = watching[session.id] != nil
      summary.yours = session.id == own
      let timelines = watching[session.id, default: []].sorted { $0.text < $1.text }
      summary.watching = timelines.isEmpty ? nil : timelines
      return summary
    }
    return ToInspector.Sessions { $0.sessions = list }
  }

  /// Reports that the session of an inspector is connected, has left, or follows something else.
  ///
  /// - Parameter session: the session, if the inspector is not listed anymore.
  mutating func sessionChanged(of peer: PeerID, session: String? = nil) {
    guard session ?? inspectors[peer]?.admission?.session != nil else { return }
    for other in inspectors.keys.sorted() { reportSessions(to: other) }
  }

  /// Reports the sessions to an inspector that may know of others and follows the list of timelines.
  /// Commands on this machine have no session, and ask.
  mutating func reportSessions(to peer: PeerID) {
    guard let inspector = inspectors[peer], inspector.news.watchesList,
      inspector.admission?.session != nil, mayManageSessions(peer)
    else { return }
    inspectors[peer]?.news.sessions = true
    sendNews(to: peer)
  }
}
