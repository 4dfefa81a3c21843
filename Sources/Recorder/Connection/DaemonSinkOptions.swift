/// The options of a daemon sink.
package struct DaemonSinkOptions: Sendable {
  /// How much the outbox may hold, and when it sends.
  package var outbox = OutboxLimits()

  /// The path of the spill file, which holds at most `outbox.spillBytes`.
  package var spillPath: String?

  /// When to retry a lost connection.
  package var retry = RetryPolicy()

  /// How to authenticate with the daemon of each transport.
  package var trusts = [ConnectionMachine.Trust.socket]

  /// The run of the app, the same in all its headers.
  package var run: String?

  /// The bytes of frames to pass to the transport before checking whether it is full.
  ///
  /// Four batches keep the transport busy, and are few enough to hold in memory twice. Default: 1
  /// MiB.
  package var window = 1 << 20

  /// The maximum bytes of the daemon's messages, and of answers to them, that may wait. Beyond it
  /// the connection ends. Default: 64 MiB.
  package var waitingBytes = 64 << 20

  /// The address of each daemon, if the app or its user set them. Only then is a missing daemon
  /// reported.
  package var requestedAddresses: [DaemonAddress] = []

  /// The certificate to accept over TLS. Messages name its file.
  package var certificate = DaemonTrust.system

  /// Returns random numbers for nonces and retry delays. Default: the system's generator.
  package var random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }

  package var log: @Sendable (String) -> Void

  package init(log: @escaping @Sendable (String) -> Void = { _ in }) {
    self.log = log
  }
}

/// The status of a daemon sink.
package struct DaemonSinkStatus: Sendable {
  package var counts: OutboxCounts
  /// The number of entries in the outbox.
  package var kept: Int
  /// The bytes of memory that they need.
  package var bytes: Int
  /// Whether the daemon accepted the connection.
  package var isConnected: Bool
  /// Why there is no connection, as a sentence.
  package var problem: String?
  /// The number of the daemon's frames that were invalid.
  package var badFrames: Int
}
