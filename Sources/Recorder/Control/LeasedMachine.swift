import JSONCore
import Replaying
import StatesCore
import Synchronization
import Timelines

/// A machine that a lease holds.
struct LeasedMachine: Sendable {
  /// How it is reached.
  let target: any ControlTarget
  /// Where the lease's end is told.
  let answer: CommandAnswer
  /// Raised when the machine may go on, whoever holds it then.
  ///
  /// The machine looks as well: where nobody carries out commands any more, as when the recording has
  /// ended, it goes on by itself with the app's next event.
  let isOver: Flag
  /// Raised when this lease ends otherwise than by being resumed: what it led to and was not carried
  /// out yet is not carried out any more.
  let isRevoked: Flag
  /// What holds it when it comes to that.
  let hold: WaitingHold

  /// Ends it, as far as the machine comes to it.
  func revoke() {
    isRevoked.raise()
    isOver.raise()
  }
}

/// A hold that waits until its machine comes to it; renewing the lease meanwhile needs no other one.
final class WaitingHold: Sendable {
  private let policy: ForkSafeMutex<HoldPolicy?>

  init(_ policy: HoldPolicy) { self.policy = ForkSafeMutex(policy) }

  /// Says what becomes of events instead; false when it waits no more.
  func renew(_ policy: HoldPolicy) -> Bool {
    self.policy.withLock { waiting in
      guard waiting != nil else { return false }
      waiting = policy
      return true
    }
  }

  /// Waits no more; answers what becomes of events.
  @discardableResult
  func begin() -> HoldPolicy? { policy.withLock { $0.take() } }
}

/// How many commands wait for the machines that are to carry them out, and how many bytes they have.
///
/// A machine may stand at a breakpoint while a daemon sends commands on and on.
final class WaitingCommands: Sendable {
  /// A command that waits, until it is let go of: carried out, or its machine gone.
  final class Place: Sendable {
    private let commands: WaitingCommands
    private let machine: ObjectIdentifier
    private let bytes: Int

    fileprivate init(_ commands: WaitingCommands, _ machine: ObjectIdentifier, bytes: Int) {
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

  /// Far more than an inspector sends to one machine, whose queue has room for them, and for the ends
  /// of being held, of which there is one for each hold.
  private static let mostCommands = 1_000
  /// Four of the longest messages, of all machines.
  private static let mostBytes = 64 << 20

  /// A place for a command; nil when too many wait.
  func enter(_ action: ControlAction, for target: any ControlTarget) -> Place? {
    let bytes = action.bytes
    let machine = ObjectIdentifier(target)
    let hasRoom = waiting.withLock { waiting in
      let count = waiting.counts[machine, default: 0]
      guard count < Self.mostCommands, waiting.bytes + bytes <= Self.mostBytes else { return false }
      waiting.counts[machine] = count + 1
      waiting.bytes += bytes
      return true
    }
    return hasRoom ? Place(self, machine, bytes: bytes) : nil
  }
}

extension ControlAction {
  /// How many bytes of JSON it carries.
  fileprivate var bytes: Int {
    switch self {
    case .restore(let value, _), .dispatch(let value): value.range.count
    case .hold, .step, .resume: 0
    }
  }
}
