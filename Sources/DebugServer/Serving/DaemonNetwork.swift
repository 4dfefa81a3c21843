package import WebSockets

/// What the daemon needs of the network: the one thread on which everything happens, and timers.
package protocol DaemonNetwork: AnyObject, Sendable {
  /// Where the daemon runs.
  var unownedExecutor: UnownedSerialExecutor { get }

  /// The time since some moment, which never goes backwards.
  var uptime: Duration { get }

  /// Runs work there, in the order of the calls, never inside the call.
  func enqueue(_ work: @escaping @Sendable () -> Void)

  /// Runs work there after a time; called there.
  func schedule(after time: Duration, _ work: @escaping @Sendable () -> Void)

  /// Reads certificates and keys again; answers whether they were renewed. Called there.
  func renewIdentities() throws -> Bool
}

/// A connection to a peer, as the daemon uses it.
package protocol DaemonConnection: AnyObject, Sendable {
  /// A number that is never used again.
  var id: UInt64 { get }
  /// The messages that wait to be sent.
  var queuedMessages: Int { get }
  /// The bytes of those.
  var queuedBytes: Int { get }
  /// The bytes that have left so far.
  var sentBytes: Int { get }

  /// Puts a message into the queue of what is to be sent.
  func send(_ message: Message) -> SendResult
  /// Sends what is queued, then closes; what has not begun is dropped where that is wanted.
  func close(code: SessionCloseCode, reason: String, discarding: Bool)
  /// Takes messages of at most that many bytes from now on.
  func takeMessages(upTo bytes: Int)
  /// Takes nothing more from the other end.
  func pauseReading()
  /// Goes on taking.
  func resumeReading()
}

extension Session: DaemonConnection {
  package var queuedMessages: Int { statistics.queuedMessages }
  package var queuedBytes: Int { statistics.queuedBytes }
  package var sentBytes: Int { statistics.sentBytes }
}

/// The network of libwebsockets.
final class LoopNetwork: DaemonNetwork {
  private let loop: Loop
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  /// A network on a loop that runs.
  init(_ loop: Loop) {
    self.loop = loop
    start = clock.now
  }

  var unownedExecutor: UnownedSerialExecutor { loop.unownedExecutor }

  var uptime: Duration { start.duration(to: clock.now) }

  func enqueue(_ work: @escaping @Sendable () -> Void) { loop.enqueue { _ in work() } }

  func schedule(after time: Duration, _ work: @escaping @Sendable () -> Void) {
    loop.assumeIsolated { loop in _ = loop.schedule(after: time) { _ in work() } }
  }

  func renewIdentities() throws -> Bool {
    try loop.assumeIsolated { try $0.renewIdentities() }
  }
}
