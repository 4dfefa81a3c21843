import Replaying
import Synchronization

/// A command on its way to a machine, which is answered once, whatever becomes of it.
///
/// A machine may go away before its turn comes: then the command is let go of without being carried out,
/// and that is its answer.
final class PendingCommand: Sendable {
  private let answer: ForkSafeMutex<(@Sendable (ControlOutcome) -> Void)?>
  private let gone: ControlOutcome

  init(_ answer: @escaping @Sendable (ControlOutcome) -> Void, gone: ControlOutcome) {
    self.answer = ForkSafeMutex(answer)
    self.gone = gone
  }

  deinit { finishAsGone() }

  /// Gives the answer, unless one was given.
  func finish(_ outcome: ControlOutcome) { answer.withLock { $0.take() }?(outcome) }

  /// Says that the machine is gone.
  func finishAsGone() { finish(gone) }
}
