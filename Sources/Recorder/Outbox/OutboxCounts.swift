/// What an outbox did so far, in entries unless it says otherwise.
package struct OutboxCounts: Hashable, Sendable {
  /// Those that the pipeline wrote.
  package var recorded = 0
  /// Those whose states gave way.
  package var thinned = 0
  /// Those that gave way altogether.
  package var dropped = 0
  /// The dropped ones whose timeline the other end deleted, or refused until it was given up.
  package var abandoned = 0
  /// Those that went through the spill file.
  package var spilled = 0
  /// Those that were sent, each time anew.
  package var sent = 0
  /// Those that the other end acknowledged.
  package var acknowledged = 0
  /// The bytes of `append` messages that were sent.
  package var sentBytes = 0

  /// Nothing yet.
  package init() {}
}
