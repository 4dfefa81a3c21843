// The place of a timeline among those that may be open on a connection.
extension OutboxTimeline {
  /// The place of a timeline on a connection.
  enum Place: Hashable, Sendable {
    /// It is not open.
    case none
    /// `open` was sent, and the daemon has not confirmed it.
    case opening(since: Duration)
    case open(since: Duration)
    /// It sends nothing more, to be parked once everything is acknowledged.
    case leaving(since: Duration)
    /// `close` was sent, and the daemon has not confirmed it.
    case closing
  }

  /// Whether messages of it can be sent now.
  var isSendable: Bool {
    switch place {
    case .opening, .open: isPositionKnown && !isRefused
    case .none, .leaving, .closing: false
    }
  }

  /// Whether it must be opened, and does not wait for that yet.
  func needsPlace(at time: Duration) -> Bool {
    guard place == .none, waitingSince == nil, !isRefused else { return false }
    return hasUnsent || end?.isSent == false || heldUntil > time
  }

  /// Whether it waits for a place, its first one on this connection included.
  var isWaitingForPlace: Bool {
    place == .none && !isRefused && (waitingSince != nil || !wasTried)
  }

  /// Lets a timeline that was about to be parked send again.
  mutating func stay() {
    if case .leaving(let since) = place { place = .open(since: since) }
  }

  /// Whether it is open and the daemon has all that was sent, so that it can be parked.
  var isParkable: Bool {
    guard !isUnderWay, end == nil, !isRefused else { return false }
    switch place {
    case .open: return !hasUnsent
    case .leaving: return true
    case .none, .opening, .closing: return false
    }
  }
}
