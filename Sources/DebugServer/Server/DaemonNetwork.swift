package import WebSockets

/// What the daemon needs of the network: the thread that it runs on, and timers.
package protocol DaemonNetwork: AnyObject, Sendable {
  /// The executor that the daemon runs on.
  var unownedExecutor: UnownedSerialExecutor { get }

  /// The time of a monotonic clock.
  var uptime: Duration { get }

  /// Runs work on the executor, in the order of the calls, never inside the call.
  func enqueue(_ work: @escaping @Sendable () -> Void)

  /// Runs work on the executor after a delay; called on the executor.
  func schedule(after time: Duration, _ work: @escaping @Sendable () -> Void)

  /// Reads certificates and keys again; returns whether they were renewed. Called on the executor.
  func renewIdentities() throws -> Bool
}

/// A connection to a peer, as the daemon uses it.
package protocol DaemonConnection: AnyObject, Sendable {
  /// A unique number.
  var id: UInt64 { get }
  var queuedMessages: Int { get }
  /// The bytes of the queued messages.
  var queuedBytes: Int { get }
  /// The total of bytes that have left.
  var sentBytes: Int { get }

  /// Queues a message.
  func send(_ message: SocketMessage) -> SendResult
  /// Sends what is queued, then closes; `discarding` drops messages that have not started.
  func close(code: SessionCloseCode, reason: String, discarding: Bool)
  /// Limits the size of messages from now on.
  func limitMessages(to bytes: Int)
  func pauseReading()
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
