package import TimelineStore
package import Wire

extension Hub {
  /// Whether a request by or to a connection is in progress, so that silence does not end it.
  package func isBusy(_ peer: PeerID) -> Bool {
    if let inspector = inspectors[peer] { return inspector.requestsInFlight > 0 }
    return relays.values.contains { $0.recorder == peer }
      || reduces.values.contains { $0.recorder == peer }
  }

  /// The id of the request that a query answers; `nil` if the hub itself uses the answer.
  package func request(of ticket: Ticket) -> RequestID? {
    if case .request(_, let id, _) = works[ticket] { return id }
    return nil
  }

  /// The lane in which the store reads for a query; connections of the same session share one.
  package func lane(of ticket: Ticket) -> ReadLane {
    guard let peer = peer(of: ticket), let admission = inspectors[peer]?.admission else {
      return .daemon
    }
    return .session(admission.session ?? "local \(peer.number)")
  }
}
