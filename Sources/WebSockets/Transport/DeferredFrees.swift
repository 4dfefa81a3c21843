internal import CLibWebsockets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The memory that the library has freed in the current round of a loop.
///
/// If the library cannot write a client's request, because the server has already closed the connection,
/// it frees the connection inside the connect function, reads it afterwards, and since 4.3 frees it
/// again. So what the library frees on a loop's thread stays valid until the round ends, and freeing it
/// again has no effect.
final class DeferredFrees {
  private var pointers: Set<UnsafeMutableRawPointer> = []

  /// The number of blocks that wait for the end of the round.
  var count: Int { pointers.count }

  /// Frees `pointer` at the end of the round.
  fileprivate func add(_ pointer: UnsafeMutableRawPointer) { pointers.insert(pointer) }

  /// Ends a round.
  func release() {
    guard !pointers.isEmpty else { return }
    for pointer in pointers { free(pointer) }
    pointers.removeAll(keepingCapacity: true)
  }

  /// Replaces the library's allocator for this process. Other threads free their memory immediately.
  static func install() { _ = isInstalled }

  private static let isInstalled: Void = lws_set_allocator(transportMemory)

  /// Defers what the library frees on this thread inside of `body`.
  static func onThisThread(_ body: (DeferredFrees) -> Void) {
    let frees = DeferredFrees()
    guard let key else { return body(frees) }
    // Safe: the thread holds the object until its value is removed below.
    pthread_setspecific(key, Unmanaged.passUnretained(frees).toOpaque())
    body(frees)
    pthread_setspecific(key, nil)
    frees.release()
  }

  fileprivate static var current: DeferredFrees? {
    guard let key, let pointer = pthread_getspecific(key) else { return nil }
    // Safe: see `onThisThread`.
    return Unmanaged<DeferredFrees>.fromOpaque(pointer).takeUnretainedValue()
  }

  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()
}

/// The library's allocator: changes the size of a block, or frees it if the size is 0.
///
/// Safe: blocks from before it was installed are also from `malloc`.
func transportMemory(
  _ pointer: UnsafeMutableRawPointer?, _ size: Int, _ reason: UnsafePointer<CChar>?
) -> UnsafeMutableRawPointer? {
  if size > 0 { return realloc(pointer, size) }
  guard let pointer else { return nil }
  if let frees = DeferredFrees.current { frees.add(pointer) } else { free(pointer) }
  return nil
}
