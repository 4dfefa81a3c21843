/// Counts of what an outbox has done so far, in entries unless stated otherwise.
package struct OutboxCounts: Hashable, Sendable {
  /// Entries that the pipeline wrote.
  package var recorded = 0
  /// Entries whose state was evicted.
  package var thinned = 0
  /// Entries that were evicted.
  package var dropped = 0
  /// Dropped entries whose timeline the daemon deleted, or refused until it was abandoned.
  package var abandoned = 0
  /// Entries that were moved to the spill file.
  package var spilled = 0
  /// Entries that were sent, including repetitions.
  package var sent = 0
  /// Entries that the daemon acknowledged.
  package var acknowledged = 0
  /// The bytes of the `append` messages that were sent.
  package var sentBytes = 0

  package init() {}
}
