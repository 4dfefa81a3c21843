#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Wakes one thread that waits; a wake that comes first is not lost.
///
/// Safe: mutex and condition stay at one address from init to deinit, and the flag is only touched
/// under the mutex.
final class WakeSignal: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isSet = false

  init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Lets the waiting thread go on, or the next one that waits.
  func wake() {
    pthread_mutex_lock(mutex)
    isSet = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until somebody wakes.
  func wait() {
    pthread_mutex_lock(mutex)
    while !isSet { pthread_cond_wait(condition, mutex) }
    isSet = false
    pthread_mutex_unlock(mutex)
  }
}
