import TimelineStore

/// Runs the parts of an actor in the simulation.
final class SimulatedExecutor: SerialExecutor {
  private let scheduler: Scheduler

  init(_ scheduler: Scheduler) {
    self.scheduler = scheduler
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    scheduler.soon { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  // The simulation has one thread.
  func checkIsolated() {}
}

/// Runs the store's work in the simulation, as late as a disk may make it.
///
/// Safe: the simulation has one thread.
final class SimulatedStoreRunner: StoreRunner, @unchecked Sendable {
  private let scheduler: Scheduler
  private var chance: Chance
  private var busyUntil: [String: Int64] = [:]
  /// Microseconds that the slowest piece of work takes.
  var slowest = 400
  /// Microseconds that the slowest look takes.
  var slowestLook = 80
  /// Nothing is run before that moment: the disk hangs.
  var hangsUntil: Int64 = 0
  /// Nothing is written before that moment, while what is in the system's memory can be read.
  var writesHangUntil: Int64 = 0
  /// Whether work is done at once, because only a dead process waits for it.
  var isInHaste = false

  init(_ scheduler: Scheduler, _ chance: Chance) {
    self.scheduler = scheduler
    self.chance = chance
  }

  func run(on queue: String, _ work: @escaping @Sendable () -> Void) {
    guard !isInHaste else { return scheduler.soon(work) }
    let isReader = queue == "store.reader"
    let time = Int64(isReader ? chance.pick(5...slowestLook) : chance.pick(20...slowest))
    let hang = isReader ? hangsUntil : max(hangsUntil, writesHangUntil)
    let begin = max(scheduler.now, busyUntil[queue] ?? 0, hang)
    busyUntil[queue] = begin + time
    scheduler.after(begin + time - scheduler.now, work)
  }

  func run(on queue: String, after time: Duration, _ work: @escaping @Sendable () -> Void) {
    scheduler.after(time.wholeMicroseconds) { self.run(on: queue, work) }
  }
}
