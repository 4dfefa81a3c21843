public import Synchronization

/// The step during which, or by whose effect, an input was sent.
///
/// While observers and effects of a *recorded* machine run, ``current`` names the step they react
/// to. Tasks started by them inherit it, so an answer that arrives seconds later still knows which
/// step asked for it. A machine that nobody records sets no cause of its own, so what its observers
/// send keeps the cause that was current around it.
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
    // Asking a task for its values costs as much as half of the rest of a recorded step, and in
    // programs whose recorded machines have no observers there is never anything to find.
    wasEverSet.load(ordering: .relaxed) ? inTask : nil
  }

  @usableFromInline static var inTask: Cause? { local }
  @TaskLocal private static var local: Cause?
  /// Whether there was a cause in this process, in any task.
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

  /// A machine's identity; never given twice in a process.
  package static func makeMachineIdentity() -> UInt {
    identities.wrappingAdd(1, ordering: .relaxed).newValue
  }

  private static let identities = Atomic<UInt>(0)
}
