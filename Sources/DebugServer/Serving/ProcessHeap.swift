#if canImport(Glibc)
  internal import Glibc
#endif

/// How the process asks the system for memory, which only a program may say of itself.
package enum ProcessHeap {
  /// Keeps what was free once from staying with the process.
  ///
  /// By itself the C library gives each thread a heap of its own, and keeps what a burst of entries
  /// took in each. Two heaps are enough for threads that mostly wait for one another.
  package static func bound() {
    #if canImport(Glibc)
      // Safe: the type is that of the C library's manual; other libraries do not have the function.
      typealias Option = @convention(c) (Int32, Int32) -> Int32
      guard let found = dlsym(nil, "mallopt") else { return }
      let set = unsafeBitCast(found, to: Option.self)
      // The numbers of M_ARENA_MAX, M_TRIM_THRESHOLD and M_MMAP_THRESHOLD, which glibc promises.
      let (arenas, trimmed, mapped): (Int32, Int32, Int32) = (-8, -1, -3)
      _ = set(arenas, 2)
      // A free end of this size is given back: more than a commit needs, so that it is not in vain.
      _ = set(trimmed, 2 << 20)
      // Larger than a frame of a recorder; what is larger still is given back as soon as it is free.
      _ = set(mapped, 1 << 20)
    #endif
  }
}
