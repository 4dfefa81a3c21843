#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Has the parts of all tasks run by the simulation, in place of the shared pool of threads.
///
/// The concurrency runtime offers a variable for that. It is the only way to tasks that the product
/// makes by itself, for they inherit no executor.
///
/// Safe: the variable is set before the first task is made, and everything runs on one thread.
enum TaskHook {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  /// Where the parts of tasks go.
  nonisolated(unsafe) private(set) static var scheduler: Scheduler?

  /// Sends the parts of tasks to a scheduler from now on.
  static func send(to scheduler: Scheduler) {
    Self.scheduler = scheduler
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else {
      fatalError("The concurrency runtime has no hook for its tasks.")
    }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in
      TaskHook.scheduler?.soon {
        job.runSynchronously(on: SharedExecutor.one.asUnownedTaskExecutor())
      }
    }
  }
}

/// What takes the place of the shared pool.
private final class SharedExecutor: TaskExecutor {
  static let one = SharedExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    TaskHook.scheduler?.soon { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
