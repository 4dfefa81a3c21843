import Synchronization

/// What a store counts, for metrics: nothing that has to be read.
package struct StoreCounts: Hashable, Sendable {
  /// The writes that wait for the next commit.
  package var waitingWrites = 0
  /// The reads that wait for a thread.
  package var waitingReads = 0
  /// The number of machines that have an acknowledged entry; `nil` before the database has answered.
  package var machines: Int64?
  /// When the lease of the database was renewed last, in microseconds since 1970; `nil` without one.
  package var renewed: Int64?

  package init() {}
}

extension Store {
  package nonisolated var counts: StoreCounts {
    var counts = StoreCounts()
    counts.waitingWrites = inbox.withLock { $0.submissions.count }
    counts.waitingReads = readers.waitingCount
    counts.machines = durability?.machines
    counts.renewed = keeper?.renewed
    return counts
  }
}
