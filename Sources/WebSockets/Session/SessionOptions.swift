/// The limits and habits of a session, the same for both ends.
package struct SessionOptions: Sendable {
  /// The longest message that is taken; a longer one ends the session with 1009.
  /// `Session.takeMessages(upTo:)` changes it.
  /// Default: 16 MiB.
  package var maxMessageBytes = 16 * 1024 * 1024
  /// How many bytes may wait to be sent. A single longer message is taken when nothing waits.
  /// Default: 8 MiB.
  package var maxQueuedBytes = 8 * 1024 * 1024
  /// How many messages may wait to be sent. Default: 4,096.
  package var maxQueuedMessages = 4_096
  /// After the queue was full, `drained` says when no more than this many bytes wait.
  /// Default: 1 MiB.
  package var lowWaterBytes = 1024 * 1024
  /// Whether `drained` is also told whenever nothing waits any more. Default: no.
  package var tellsEmpty = false
  /// The most payload of one frame, at most 64 KiB. Longer messages are sent in parts, so that
  /// other sessions have their turn in between. Default: 64 KiB.
  package var fragmentBytes = 64 * 1024
  /// When no frame arrived for this long, a ping is sent; `nil` sends none.
  /// Default: 20 seconds.
  package var pingAfter: Duration? = .seconds(20)
  /// When the peer shows no sign of life for this long after a ping, the session is closed; a
  /// session with a request in progress is not. Default: 20 seconds.
  package var pongWithin: Duration = .seconds(20)
  /// The code of that closing. Default: 1001.
  package var idleCloseCode = SessionCloseCode.goingAway
  /// How long the other end may take to agree to a close, and to read what was queued before it.
  /// Default: 5 seconds.
  package var closeWithin: Duration = .seconds(5)

  /// Options, each at its default.
  package init() {}
}
