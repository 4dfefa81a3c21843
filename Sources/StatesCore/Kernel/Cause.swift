public import Synchronization

/// The step whose observers or effects sent an input.
///
/// While observers and effects of a *recorded* machine run, ``current`` names the step they react
/// to. Tasks they start inherit it, so a response that arrives seconds later still names the step
/// that requested it. A machine that is not recorded sets no cause of its own, so what its
/// observers send has the cause that was current before.
///
/// ```swift
/// let outside = Cause.current
/// assert(outside == nil)
/// ```
public struct Cause: Hashable, Sendable {
  /// The identity of the machine, unique in this process.
  public let machine: UInt
  /// The number of the step; 0 is the machine's start.
  public let number: Int

  /// Names a step of a machine.
  public init(machine: UInt, number: Int) {
    self.machine = machine
    self.number = number
  }

  /// The step whose observers or effects are running, here or where this task was started.
  @inlinable public static var current: Cause? {
    // Reading a task-local value costs half as much as the rest of a recorded step, and in programs
    // whose recorded machines have no observers there is never one to find.
    wasEverSet.load(ordering: .relaxed) ? inTask : nil
  }

  @usableFromInline static var inTask: Cause? { local }
  @TaskLocal private static var local: Cause?
  /// Whether a cause was ever set in this process, in any task.
  @usableFromInline static let wasEverSet = Atomic(false)

  /// Runs `body`, and the tasks it starts, with `cause` as the current one.
  ///
  /// ```swift
  /// let start = Cause(machine: 7, number: 0)
  /// Cause.with(start) { assert(Cause.current == start) }
  /// ```
  public static func with<Result>(_ cause: Cause?, _ body: () throws -> Result) rethrows -> Result {
    wasEverSet.store(true, ordering: .relaxed)
    return try $local.withValue(cause, operation: body)
  }

  /// Runs `body`, and the tasks it starts, with `cause` as the current one.
  static func with<Result>(
    _ cause: Cause?, _ body: () async throws -> Result
  ) async rethrows -> Result {
    wasEverSet.store(true, ordering: .relaxed)
    return try await $local.withValue(cause, operation: body)
  }

  /// Returns an identity that no other machine in this process has.
  package static func makeMachineIdentity() -> UInt {
    identities.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let identities = Atomic<UInt>(0)
}
