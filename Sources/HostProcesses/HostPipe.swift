#if canImport(Glibc)
  import Glibc

  /// Pipes between a host and whoever started it.
  enum HostPipe {
    /// A pipe that no other process inherits, beside the standard streams; nil when there are no
    /// more files to be had.
    static func open(isBlocking: Bool = true) -> (reads: Int32, writes: Int32)? {
      var ends: [Int32] = [-1, -1]
      // In one call, so that a process that another thread starts meanwhile does not get them.
      guard LinuxCalls.pipe?(&ends, O_CLOEXEC | (isBlocking ? 0 : O_NONBLOCK)) == 0 else {
        return nil
      }
      for (index, end) in ends.enumerated() where end <= STDERR_FILENO {
        // Who has closed its standard streams gets their numbers again, which are the child's own.
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
