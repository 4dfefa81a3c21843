/// Decides when to ping a silent peer, and when to close its session. Pure: time is an input.
///
///     idle ──pingAfter without a frame──▶ ping sent ──pongWithin──▶ alive? idle : close
///
/// Any frame returns it to idle. Other signs of life are only checked before closing, because that
/// costs a system call.
package struct IdleWatch {
  package enum Step: Equatable {
    /// Check again after this many microseconds.
    case wait(Int64)
    /// Send a ping with this payload, then check again after this many microseconds.
    case ping([UInt8], Int64)
    /// Close the session, because the peer is gone.
    case close
  }

  /// Other evidence that a peer is alive.
  package struct Signs {
    /// Whether the connection is exempt: its reading is paused, so that no answer can arrive, or a
    /// request is in progress.
    package var isExempt = false
    package var socket = SocketSigns()
    package init() {}
  }

  private let pingAfter: Int64
  private let pongWithin: Int64
  private var lastFrameAt: Int64
  /// When the unanswered ping was sent, and how many bytes the socket had received by then.
  private var pinged: (time: Int64, receivedBytes: UInt64?)?
  private var pings: UInt64 = 0

  /// Watches a session that begins now; `nil` if it is never pinged.
  package init?(_ options: SessionOptions, now: Int64) {
    guard let pingAfter = options.pingAfter else { return nil }
    self.pingAfter = max(1, pingAfter.microseconds)
    pongWithin = max(1, options.pongWithin.microseconds)
    lastFrameAt = now
  }

  /// Records that a frame, or a part of one, arrived.
  package mutating func frameArrived(now: Int64) {
    lastFrameAt = now
    pinged = nil
  }

  /// Returns the next action. Must be called no later than an earlier step requested.
  package mutating func check(now: Int64, signs: () -> Signs) -> Step {
    guard let pinged else {
      let silence = now &- lastFrameAt
      guard silence >= pingAfter else { return .wait(pingAfter &- silence) }
      return ping(now, signs().socket)
    }
    let waited = now &- pinged.time
    guard waited >= pongWithin else { return .wait(pongWithin &- waited) }
    let signs = signs()
    guard signs.isExempt || signs.socket.showLife(since: pinged.receivedBytes) else {
      return .close
    }
    frameArrived(now: now)
    return .wait(pingAfter)
  }

  /// The payload is a counter that the peer must return. The library does not report empty pongs.
  private mutating func ping(_ now: Int64, _ socket: SocketSigns) -> Step {
    pings &+= 1
    pinged = (now, socket.receivedBytes)
    return .ping(Array(String(pings).utf8), pongWithin)
  }
}
