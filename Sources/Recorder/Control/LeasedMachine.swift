import JSONCore
import Replaying
import StatesCore
import Synchronization
import Timelines

struct LeasedMachine: Sendable {
  let target: any ControlTarget
  /// Receives the end of the lease.
  let answer: CommandAnswer
  /// Set when the machine may resume, whichever lease holds it then.
  ///
  /// The machine checks it, too: if no commands are executed anymore because the recording has
  /// ended, it resumes by itself with the app's next event.
  let isOver: AtomicFlag
  /// Set when this lease ends other than by a resume. Its waiting commands are then not executed.
  let isRevoked: AtomicFlag
  /// The hold, until it is executed.
  let hold: PendingHold

  /// Ends the lease once the machine checks it.
  func revoke() {
    isRevoked.set()
    isOver.set()
  }
}

/// A hold that was not executed yet. A renewal in the meantime only changes its policy.
final class PendingHold: Sendable {
  private let policy: ForkSafeMutex<HoldPolicy?>

  init(_ policy: HoldPolicy) { self.policy = ForkSafeMutex(policy) }

  /// Changes the policy; false if the hold is not pending anymore.
  func renew(_ policy: HoldPolicy) -> Bool {
    self.policy.withLock { waiting in
      guard waiting != nil else { return false }
      waiting = policy
      return true
    }
  }

  /// Starts the hold, and returns its policy; nil if it has started already.
  @discardableResult
  func begin() -> HoldPolicy? { policy.withLock { $0.take() } }
}

/// Limits the number and the bytes of commands that wait for machines.
///
/// A machine may be stopped at a breakpoint while a daemon keeps sending commands.
final class CommandQuota: Sendable {
  /// The share of one waiting command. Released when it was executed, or its machine is gone.
  final class Reservation: Sendable {
    private let commands: CommandQuota
    private let machine: ObjectIdentifier
    private let bytes: Int

    fileprivate init(_ commands: CommandQuota, _ machine: ObjectIdentifier, bytes: Int) {
      (self.commands, self.machine, self.bytes) = (commands, machine, bytes)
    }

    deinit {
      commands.waiting.withLock { waiting in
        waiting.bytes -= bytes
        let count = waiting.counts[machine, default: 1] - 1
        waiting.counts[machine] = count > 0 ? count : nil
      }
    }
  }

  private struct Waiting {
    var counts: [ObjectIdentifier: Int] = [:]
    var bytes = 0
  }

  private let waiting = ForkSafeMutex(Waiting())

  /// Far more than an inspector sends to one machine, whose queue has room for them and for the
  /// ends of holds, one for each hold.
  private static let maximumCommands = 1_000
  /// Four of the longest messages, over all machines.
  private static let maximumBytes = 64 << 20

  /// Reserves room for a command; nil if too many wait.
  func reserve(_ action: ControlAction, for target: any ControlTarget) -> Reservation? {
    let bytes = action.bytes
    let machine = ObjectIdentifier(target)
    let hasRoom = waiting.withLock { waiting in
      let count = waiting.counts[machine, default: 0]
      guard count < Self.maximumCommands, waiting.bytes + bytes <= Self.maximumBytes else {
        return false
      }
      waiting.counts[machine] = count + 1
      waiting.bytes += bytes
      return true
    }
    return hasRoom ? Reservation(self, machine, bytes: bytes) : nil
  }
}

extension ControlAction {
  /// The bytes of its JSON.
  fileprivate var bytes: Int {
    switch self {
    case .restore(let value, _), .dispatch(let value): value.range.count
    case .hold, .step, .resume: 0
    }
  }
}
