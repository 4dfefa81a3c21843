import Replaying
import Synchronization

/// The statistics of the recorder's thread, readable from any thread.
package final class RecorderCounters: Sendable {
  private let numbers = ForkSafeMutex(RecorderStatistics())

  package init() {}

  package var statistics: RecorderStatistics { numbers.withLock { $0 } }

  package func update(_ change: (inout RecorderStatistics) -> Void) {
    numbers.withLock { change(&$0) }
  }
}
