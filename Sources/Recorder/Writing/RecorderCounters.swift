import Replaying
import Synchronization

/// The numbers that the recorder's thread counts, for everybody to read.
package final class RecorderCounters: Sendable {
  private let numbers = ForkSafeMutex(RecorderStatistics())

  package init() {}

  /// The numbers as they are.
  package var statistics: RecorderStatistics { numbers.withLock { $0 } }

  /// Changes the numbers.
  package func update(_ change: (inout RecorderStatistics) -> Void) {
    numbers.withLock { change(&$0) }
  }
}
