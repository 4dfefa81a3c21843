internal import Timelines
import Wire

/// Limits on the number of connections.
///
/// Any peer that reaches the port can open connections to it, so unauthenticated connections
/// compete only with one another.
extension Hub {
  /// Makes room for a new connection; returns false if it is refused.
  mutating func makeRoom(for entrance: Entrance) -> Bool {
    switch entrance {
    case .socket:
      guard provedConnections() >= settings.limits.connections else { return true }
      guard let oldest = silent(at: .socket).min() else { return false }
      close(
        oldest, .limit,
        "The daemon has \(settings.limits.connections) connections, and this one never sent 'hello'."
      )
      return true
    case .port:
      let strangers = silent(at: .port)
      if strangers.count >= settings.limits.strangers, let oldest = strangers.min() {
        close(
          oldest, .limit,
          "Too many connections are not authenticated. This one was the oldest.")
      }
      return true
    }
  }

  /// Checks whether a connection that authenticates may stay; otherwise closes it.
  mutating func keepProved(_ peer: PeerID, of entrance: Entrance) -> Bool {
    let limits = settings.limits
    guard entrance == .port else { return true }
    let ofPort =
      recorders.count { $0.key != peer && $0.value.entrance == .port && $0.value.isKnown }
      + inspectors.count { $0.key != peer && $0.value.entrance == .port && $0.value.isReady }
    let places = max(limits.connections - limits.reservedForSocket, limits.connections / 2)
    guard ofPort < places,
      provedConnections(besides: peer) < limits.connections
    else {
      refuseConnection(peer)
      return false
    }
    return true
  }

  /// Closes a connection for which there is no room.
  mutating func refuseConnection(_ peer: PeerID) {
    log(
      .warning, "connection.refused", "A connection was refused: there are too many.",
      within: \.rejections)
    close(peer, .limit, "The daemon already has \(settings.limits.connections) connections.")
  }

  /// The unauthenticated connections to an entrance.
  private func silent(at entrance: Entrance) -> [PeerID] {
    recorders.filter { $0.value.entrance == entrance && $0.value.patience != nil }.map(\.key)
      + inspectors.filter { $0.value.entrance == entrance && $0.value.patience != nil }.map(\.key)
  }

  /// The number of other authenticated connections that are not being closed.
  private func provedConnections(besides peer: PeerID? = nil) -> Int {
    recorders.count {
      $0.key != peer
        && ($0.value.isKnown || $0.value.entrance == .socket && $0.value.patience != nil)
    }
      + inspectors.count {
        $0.key != peer
          && ($0.value.isReady || $0.value.entrance == .socket && $0.value.patience != nil)
      }
  }
}
