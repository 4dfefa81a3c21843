package import Timelines

/// What an outbox may keep, and when it sends.
package struct OutboxLimits: Hashable, Sendable {
  /// The bytes of lines that are kept in memory until they are acknowledged, with what it takes to
  /// keep them.
  ///
  /// A minute of a busy app without a daemon. Default: 32 MiB.
  package var bytes = 32 << 20

  /// The bytes of the spill file; 0 for none. Default: 0.
  package var spillBytes = 0

  /// The bytes that whole keyframe groups reach together before a new stretch begins: what is
  /// sacrificed at once.
  ///
  /// Small enough that little goes at a time, large enough that groups of one short entry do not
  /// each need their own bookkeeping. Default: 64 KiB.
  package var stretchBytes = 64 << 10

  /// How long entries wait for others while something is under way. Default: 8 ms.
  package var batchDelay: Duration

  /// The bytes at which a batch is sent. Default: 256 KiB.
  package var batchBytes: Int

  /// The entries at which a batch is sent. Default: 1,000.
  package var batchEntries: Int

  /// The limits of the protocol.
  package init(_ limits: ProtocolLimits = ProtocolLimits()) {
    batchDelay = .milliseconds(limits.batchMilliseconds)
    batchBytes = limits.batchBytes
    batchEntries = limits.batchEntries
  }
}
