extension Hub {
  /// Whether a request by or to a connection is in progress, so that silence does not end it.
  package func isBusy(_ peer: PeerID) -> Bool {
    if let inspector = inspectors[peer] { return inspector.requestsInFlight > 0 }
    return relays.values.contains { $0.recorder == peer }
      || reduces.values.contains { $0.recorder == peer }
  }
}
