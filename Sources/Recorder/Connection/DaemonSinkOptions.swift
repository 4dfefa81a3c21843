/// How a recorder's entries get to a daemon.
package struct DaemonSinkOptions: Sendable {
  /// What the outbox may keep, and when it sends.
  package var outbox = OutboxLimits()

  /// The file that takes what does not fit into memory, of at most `outbox.spillBytes`.
  package var spillPath: String?

  /// When a lost connection is tried again.
  package var retry = RetryPolicy()

  /// How both ends know each other.
  package var trust = ConnectionMachine.Trust.socket

  /// The run of the app, the same in all its headers.
  package var run: String?

  /// Bytes of frames that the transport is given before it is asked whether it wants more.
  ///
  /// Four batches: enough to keep it busy, little enough to keep in memory twice. Default: 1 MiB.
  package var window = 1 << 20

  /// Bytes of the daemon's messages, and of answers to them, that wait at once. More ends the
  /// connection. Default: 64 MiB.
  package var waitingBytes = 64 << 20

  /// Where the daemon is, when the app or its user asked for it by name: only then is it reported
  /// that there is none.
  package var requestedAddress: DaemonAddress?

  /// A number for nonces and for how long to wait; one after the other. Default: the system's
  /// generator.
  package var random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }

  /// Takes a sentence that is worth a line in the log.
  package var log: @Sendable (String) -> Void

  /// The default options.
  package init(log: @escaping @Sendable (String) -> Void = { _ in }) {
    self.log = log
  }
}

/// What a daemon sink did so far, and how it stands.
package struct DaemonSinkStatus: Sendable {
  /// What became of the entries.
  package var counts: OutboxCounts
  /// The entries that are kept.
  package var kept: Int
  /// What keeping them takes in memory.
  package var bytes: Int
  /// Whether the daemon accepted.
  package var isConnected: Bool
  /// Why it is not connected, in words.
  package var problem: String?
  /// The daemon's frames that were not understood.
  package var badFrames: Int
}
