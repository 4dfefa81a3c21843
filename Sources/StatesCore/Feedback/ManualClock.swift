import Synchronization

/// A clock that stands still until it is told to go on.
///
/// ```swift
/// let executor = ManualExecutor()
/// let clock = ManualClock()
/// let task = Task(executorPreference: executor) {
///   try await clock.sleep(for: .seconds(60))
///   return clock.now
/// }
/// executor.drain()
/// clock.advance(by: .seconds(59), draining: executor)
/// assert(clock.sleeperCount == 1)
/// clock.advance(by: .seconds(1), draining: executor)
/// let time = try await task.value
/// assert(time == ManualClock.Instant(offset: .seconds(60)))
/// ```
public final class ManualClock: Clock {
  /// A point in time, counted from when the clock was made.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration

    /// Names a point in time.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// The point in time a while later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time from here to another point.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one point is before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let key: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Contents {
    var now = Instant(offset: .zero)
    var nextKey = 0
    /// By deadline; of the same deadline, first come first.
    var sleepers: [Sleeper] = []
  }

  private let contents = Mutex(Contents())

  /// Makes a clock that stands at zero.
  public init() {}

  /// The current time.
  public var now: Instant { contents.withLock { $0.now } }

  /// There is no smallest step.
  public var minimumResolution: Duration { .zero }

  /// How many tasks sleep.
  public var sleeperCount: Int { contents.withLock { $0.sleepers.count } }

  /// When the next sleeper wakes up; nil when nobody sleeps.
  public var nextDeadline: Instant? { contents.withLock { $0.sleepers.first?.deadline } }

  /// Sleeps until the clock was advanced that far; throws when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let key = contents.withLock { contents in
      contents.nextKey += 1
      return contents.nextKey
    }
    let isDone = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = contents.withLock { contents -> Bool? in
          if Task.isCancelled { return false }
          if deadline <= contents.now { return true }
          let sleeper = Sleeper(key: key, deadline: deadline, continuation: continuation)
          let index = contents.sleepers.firstIndex { deadline < $0.deadline }
          contents.sleepers.insert(sleeper, at: index ?? contents.sleepers.endIndex)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let sleeper = contents.withLock { contents -> Sleeper? in
        let index = contents.sleepers.firstIndex { $0.key == key }
        return index.map { contents.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(returning: false)
    }
    if !isDone { throw CancellationError() }
  }

  /// Moves the time, and wakes those whose deadline has come, in the order of their deadlines.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves the time, stopping at each deadline on the way to run what wakes up there.
  ///
  /// So a task that sleeps again and again wakes as often as it would in real time.
  public func advance(by duration: Duration, draining executor: ManualExecutor) {
    let end = now.advanced(by: duration)
    executor.drain()
    while let deadline = nextDeadline, deadline <= end {
      advance(to: deadline)
      executor.drain()
    }
    advance(to: end)
    executor.drain()
  }

  private func advance(to instant: Instant) {
    let awake = contents.withLock { contents in
      contents.now = max(contents.now, instant)
      let awake = contents.sleepers.prefix { $0.deadline <= contents.now }
      contents.sleepers.removeFirst(awake.count)
      return awake
    }
    for sleeper in awake { sleeper.continuation.resume(returning: true) }
  }
}
