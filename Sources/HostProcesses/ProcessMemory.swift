#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

package enum ProcessMemory {
  /// The resident bytes of a process (default: this one); 0 if unknown.
  package static func resident(of process: Int32? = nil) -> Int64 {
    #if os(Linux)
      let path = "/proc/\(process.map { "\($0)" } ?? "self")/statm"
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return 0 }
      defer { close(file) }
      // Seven numbers of at most 20 digits. Safe: only the bytes that were read are used.
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 160) { buffer in
        let count = read(file, buffer.baseAddress, buffer.count)
        guard count > 0 else { return 0 }
        let fields = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int64(fields[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
      }
    #else
      return 0
    #endif
  }
}
