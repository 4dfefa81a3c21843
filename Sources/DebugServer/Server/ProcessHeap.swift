#if canImport(Glibc)
  internal import Glibc
#endif

/// How the process gets memory from the system, which only a program can decide for itself.
package enum ProcessHeap {
  /// Limits the free memory that stays with the process.
  ///
  /// By default the C library gives each thread its own heap, and each keeps what a burst of
  /// entries needed. Two heaps are enough for threads that mostly wait for one another.
  package static func bound() {
    #if canImport(Glibc)
      // Safe: the type is from the C library's manual; other libraries do not have the function.
      typealias Option = @convention(c) (Int32, Int32) -> Int32
      guard let found = dlsym(nil, "mallopt") else { return }
      let set = unsafeBitCast(found, to: Option.self)
      // M_ARENA_MAX, M_TRIM_THRESHOLD, and M_MMAP_THRESHOLD, whose numbers glibc guarantees.
      let (arenas, trimmed, mapped): (Int32, Int32, Int32) = (-8, -1, -3)
      _ = set(arenas, 2)
      // Returns free memory at the end of the heap above this size, which is more than a commit
      // needs.
      _ = set(trimmed, 2 << 20)
      // Larger than a recorder's frame; larger blocks are returned as soon as they are freed.
      _ = set(mapped, 1 << 20)
    #endif
  }
}
