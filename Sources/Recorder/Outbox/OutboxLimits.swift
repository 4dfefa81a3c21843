import Timelines
package import Wire

/// How much an outbox may hold, and when it sends.
package struct OutboxLimits: Hashable, Sendable {
  /// The bytes of unacknowledged entries in memory, including overhead.
  ///
  /// The default holds about a minute of a busy app without a daemon. Default: 32 MiB.
  package var bytes = 32 << 20

  /// The maximum size of the spill file in bytes; 0 for no file. Default: 0.
  package var spillBytes = 0

  /// The bytes after which a new eviction group begins at the next keyframe.
  ///
  /// Small enough that little is evicted at a time, large enough that keyframes of one short entry
  /// do not each need a group. Default: 64 KiB.
  package var groupBytes = 64 << 10

  /// How long entries wait for more while earlier ones are unacknowledged. Default: 8 ms.
  package var batchDelay: Duration

  /// The size of a full batch in bytes. Default: 256 KiB.
  package var batchBytes: Int

  /// The number of entries in a full batch. Default: 1,000.
  package var batchEntries: Int

  /// The maximum number of timelines that are open on a connection. Default: 1,000.
  package var openTimelines: Int

  /// The maximum number of timelines that `hello` names. The daemon looks them up before it answers,
  /// so with many of them it might not answer in time; for others, the answer to `open` says where
  /// to continue. Default: 100.
  package var namedTimelines = 100

  /// The maximum bytes of their headers. Default: 16 MiB.
  package var openHeaderBytes: Int

  /// How long a timeline keeps its place after it was used, and how long another one waits for the
  /// place of one that is always in use.
  ///
  /// It limits the work for places: with more busy machines than places, a thousand timelines are
  /// opened and parked in this time. Default: 2 s.
  package var placeTime = Duration.seconds(2)

  /// Creates the limits of the protocol.
  package init(_ limits: ProtocolLimits = ProtocolLimits()) {
    batchDelay = .milliseconds(limits.batchMilliseconds)
    batchBytes = limits.batchBytes
    batchEntries = limits.batchEntries
    openTimelines = limits.timelines
    openHeaderBytes = limits.headersOfRecorder
  }
}
