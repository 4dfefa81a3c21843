internal import JSONCore
internal import Timelines
internal import Wire

/// What keys may copy: a session that may push, but not change recordings, continues only the copies
/// that it began.
extension Hub {
  /// The session of an inspector that must have begun what it copies.
  private func copyingSession(of peer: PeerID) -> String? {
    guard let admission = inspectors[peer]?.admission, !admission.capabilities.contains(.change)
    else { return nil }
    return admission.session
  }

  /// The refusal of a request that would add to a timeline of others.
  func refusalOfCopy(_ request: FromInspector, by peer: PeerID) -> Refusal? {
    var copy: TimelineID?
    if case .deposit(let deposit) = request { copy = deposit.timeline }
    if case .finish(let finish) = request { copy = finish.timeline }
    guard let copy, let session = copyingSession(of: peer),
      sessions.session(id: session)?.copies.contains(copy) != true
    else { return nil }
    return Refusal(
      .forbidden,
      """
      The timeline \(copy) is there, and this key did not begin its copy. To fix, push it with the \
      key that did.
      """, timeline: copy)
  }

  /// Records who begins a copy: a copy without entries belongs to those who offer it.
  mutating func offered(
    _ offer: FromInspector.Offer, _ copy: ToInspector.Offer, by peer: PeerID
  ) {
    guard copy.last == nil, let session = copyingSession(of: peer),
      let id = offer.header["timeline"]?.string.flatMap({ TimelineID($0) }),
      sessions.began(id, by: session)
    else { return }
    actions.append(.save(sessions))
  }
}
