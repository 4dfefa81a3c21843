#if canImport(Glibc)
  import Glibc

  /// Pipes between a host and the process that started it.
  enum HostPipe {
    /// A pipe that no other process inherits, with descriptors above the standard streams; `nil` if
    /// too many files are open.
    static func open(isBlocking: Bool = true) -> (reads: Int32, writes: Int32)? {
      var ends: [Int32] = [-1, -1]
      // In one call, so that a process another thread starts meanwhile does not inherit them.
      guard LinuxCalls.pipe?(&ends, O_CLOEXEC | (isBlocking ? 0 : O_NONBLOCK)) == 0 else {
        return nil
      }
      for (index, end) in ends.enumerated() where end <= STDERR_FILENO {
        // A process that has closed its standard streams gets their numbers, which the child needs.
        let moved = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        close(end)
        guard moved >= 0 else {
          close(ends[1 - index])
          return nil
        }
        ends[index] = moved
      }
      return (ends[0], ends[1])
    }
  }
#endif
