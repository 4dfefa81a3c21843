/// Decides when to ping a silent peer, and when to give it up. Pure: time is an input.
///
///     idle ──pingAfter without a frame──▶ ping sent ──pongWithin──▶ alive? idle : close
///
/// A frame at any moment leads back to idle. Signs of life that are not frames are only looked at
/// before closing, because looking costs a system call.
package struct IdleWatch {
  /// What to do now.
  package enum Step: Equatable {
    /// Look again after that many microseconds.
    case wait(Int64)
    /// Send a ping with this payload, then look again after that many microseconds.
    case ping([UInt8], Int64)
    /// The peer is gone.
    case close
  }

  /// What else shows that a peer is alive.
  package struct Signs {
    /// Whether the connection is exempt: its reading is paused, so that no answer can arrive, or a
    /// request is in progress.
    package var isExempt = false
    /// What the socket says.
    package var socket = SocketSigns()
    /// Nothing is known.
    package init() {}
  }

  private let pingAfter: Int64
  private let pongWithin: Int64
  private var heardAt: Int64
  /// When the unanswered ping was sent, and how many bytes the socket had received by then.
  private var pinged: (time: Int64, receivedBytes: UInt64?)?
  private var pings: UInt64 = 0

  /// Watches a session that begins now; `nil` for one that is never asked.
  package init?(_ options: SessionOptions, now: Int64) {
    guard let pingAfter = options.pingAfter else { return nil }
    self.pingAfter = max(1, pingAfter.microseconds)
    pongWithin = max(1, options.pongWithin.microseconds)
    heardAt = now
  }

  /// Notes that a frame, or a part of one, arrived.
  package mutating func heard(now: Int64) {
    heardAt = now
    pinged = nil
  }

  /// Decides what to do. Called at the latest when an earlier step asked for it.
  package mutating func look(now: Int64, signs: () -> Signs) -> Step {
    guard let pinged else {
      let silence = now &- heardAt
      guard silence >= pingAfter else { return .wait(pingAfter &- silence) }
      return ping(now, signs().socket)
    }
    let waited = now &- pinged.time
    guard waited >= pongWithin else { return .wait(pongWithin &- waited) }
    let signs = signs()
    guard signs.isExempt || signs.socket.showLife(since: pinged.receivedBytes) else {
      return .close
    }
    heard(now: now)
    return .wait(pingAfter)
  }

  /// The payload is a counter: a peer must return it, and the library reports no pong without one.
  private mutating func ping(_ now: Int64, _ socket: SocketSigns) -> Step {
    pings &+= 1
    pinged = (now, socket.receivedBytes)
    return .ping(Array(String(pings).utf8), pongWithin)
  }
}
