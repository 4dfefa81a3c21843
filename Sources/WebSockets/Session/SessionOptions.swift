/// The options of a session, for clients and servers.
package struct SessionOptions: Sendable {
  /// The maximum length of a received message; a longer one ends the session with 1009.
  /// `Session.limitMessages(to:)` changes it (default: 16 MiB).
  package var maxMessageBytes = 16 * 1024 * 1024
  /// The maximum number of queued bytes. An empty queue accepts a single longer message (default: 8
  /// MiB).
  package var maxQueuedBytes = 8 * 1024 * 1024
  /// The maximum number of queued messages (default: 4,096).
  package var maxQueuedMessages = 4_096
  /// After the queue was full, `drained` is called when at most this many bytes are left (default: 1
  /// MiB).
  package var lowWaterBytes = 1024 * 1024
  /// Whether `drained` is also called whenever the queue becomes empty (default: no).
  package var reportsEmpty = false
  /// The maximum payload of one frame, at most 64 KiB. Longer messages are sent in fragments, so that
  /// sessions take turns (default: 64 KiB).
  package var fragmentBytes = 64 * 1024
  /// A ping is sent if no frame arrived for this long; `nil` sends none (default: 20 seconds).
  package var pingAfter: Duration? = .seconds(20)
  /// The session is closed if the peer shows no sign of life for this long after a ping, unless a
  /// request is in progress (default: 20 seconds).
  package var pongWithin: Duration = .seconds(20)
  /// The close code for that (default: 1001).
  package var idleCloseCode = SessionCloseCode.goingAway
  /// How long the peer may take to read the queued messages and confirm a close (default: 5 seconds).
  package var closeWithin: Duration = .seconds(5)

  package init() {}
}
