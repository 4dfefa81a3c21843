import Foundation

/// Counts the objects that the Swift runtime allocates: instances, arrays, closures, boxes.
///
/// The runtime lets instruments replace its allocation function.
///
/// In this mode, the runtime also counts references to string literals, in the bytes before their
/// text. Measured code must not retain literals, because that would overwrite other data.
enum AllocationCounter {
  private typealias Allocate =
    @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?

  // Safe: written only by `count`, which runs one at a time, on the thread that allocates.
  nonisolated(unsafe) private static var allocate: Allocate?
  // Safe: as above; another thread's allocation would at worst be counted.
  nonisolated(unsafe) private static var counted = 0

  /// The number of objects that `body` allocates.
  static func count(_ body: () throws -> Void) throws -> Int {
    let handle = dlopen(nil, RTLD_NOW)
    guard
      let isSwizzled = dlsym(
        handle, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly"),
      let allocator = dlsym(handle, "_swift_allocObject")
    else { throw BenchmarkError("this runtime cannot count allocations") }
    // Safe: both symbols are variables of these types in the runtime, for the process's lifetime.
    let flag = isSwizzled.assumingMemoryBound(to: Bool.self)
    let variable = allocator.assumingMemoryBound(to: Allocate.self)
    let original = variable.pointee
    allocate = original
    counted = 0
    variable.pointee = { metadata, size, alignment in
      AllocationCounter.counted += 1
      return AllocationCounter.allocate?(metadata, size, alignment)
    }
    flag.pointee = true
    defer {
      flag.pointee = false
      variable.pointee = original
    }
    try body()
    return counted
  }
}
