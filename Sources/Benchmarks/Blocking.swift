import Dispatch
import Synchronization

/// Runs asynchronous work to its end, for measurements that are called from the main thread.
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
  guard let value = result.withLock({ $0 }) else { throw BenchmarkError("nothing came back") }
  return try value.get()
}
