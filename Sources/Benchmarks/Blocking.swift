import Dispatch
import Synchronization

/// Runs asynchronous work and waits for it, for measurements on the main thread.
func blocking<Value: Sendable>(
  _ body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let done = DispatchGroup()
  done.enter()
  let result = Mutex<Result<Value, any Error>?>(nil)
  Task.detached {
    let value: Result<Value, any Error>
    do {
      value = .success(try await body())
    } catch {
      value = .failure(error)
    }
    result.withLock { $0 = value }
    done.leave()
  }
  done.wait()
  guard let value = result.withLock({ $0 }) else {
    throw BenchmarkError("the work returned no value")
  }
  return try value.get()
}
