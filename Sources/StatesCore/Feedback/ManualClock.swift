import Synchronization

/// A clock that advances only when you call `advance`.
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
  /// A point in time, measured from when the clock was made.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public let offset: Duration

    /// Makes a point in time.
    public init(offset: Duration) {
      self.offset = offset
    }

    /// The point in time that much later.
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
    /// Sorted by deadline; with the same deadline, in order of arrival.
    var sleepers: [Sleeper] = []
  }

  private let contents = Mutex(Contents())

  /// Makes a clock that starts at zero.
  public init() {}

  /// The current time.
  public var now: Instant { contents.withLock { $0.now } }

  /// The clock can advance by any duration.
  public var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks.
  public var sleeperCount: Int { contents.withLock { $0.sleepers.count } }

  /// When the next sleeping task wakes up; nil if no task sleeps.
  public var nextDeadline: Instant? { contents.withLock { $0.sleepers.first?.deadline } }

  /// Sleeps until the clock has advanced that far; throws if the task is canceled.
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

  /// Advances the time, and wakes tasks whose deadline has passed, in the order of their deadlines.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Advances the time, stopping at each deadline on the way to run the tasks that wake up there.
  ///
  /// A task that sleeps repeatedly wakes as often as it would in real time.
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
