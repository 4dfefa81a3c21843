import Replaying
import Synchronization

/// A command that waits for its machine, and is answered exactly once.
///
/// If the machine goes away first, the command is released without being executed, and that is its
/// answer.
final class PendingCommand: Sendable {
  private let answer: ForkSafeMutex<(@Sendable (ControlOutcome) -> Void)?>
  private let gone: ControlOutcome

  init(_ answer: @escaping @Sendable (ControlOutcome) -> Void, gone: ControlOutcome) {
    self.answer = ForkSafeMutex(answer)
    self.gone = gone
  }

  deinit { finishAsGone() }

  /// Sends the answer, unless one was sent.
  func finish(_ outcome: ControlOutcome) { answer.withLock { $0.take() }?(outcome) }

  /// Answers that the machine is gone.
  func finishAsGone() { finish(gone) }
}
