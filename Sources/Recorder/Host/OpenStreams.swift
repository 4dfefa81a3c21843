#if canImport(Glibc)
  import Glibc

  /// The files that this process has open.
  enum OpenStreams {
    /// A pipe that is not inherited; nil when there are no more files to be had.
    static func pipe(isBlocking: Bool = true) -> (reads: Int32, writes: Int32)? {
      var ends: [Int32] = [-1, -1]
      guard Glibc.pipe(&ends) == 0 else { return nil }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        if !isBlocking { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
      }
      return (ends[0], ends[1])
    }

    /// The numbers of all open files beyond the standard streams.
    static var beyondStandard: [Int32] {
      guard let folder = opendir("/proc/self/fd") else { return [] }
      defer { closedir(folder) }
      let own = dirfd(folder)
      var numbers: [Int32] = []
      while let entry = readdir(folder) {
        // Safe: the system ends the name with a zero, within the entry.
        let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if let number = Int32(name), number > STDERR_FILENO, number != own {
          numbers.append(number)
        }
      }
      return numbers
    }
  }
#endif
