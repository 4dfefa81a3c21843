internal import Foundation
internal import HostProcesses

#if canImport(Glibc)
  internal import Glibc
#endif

/// What the process uses, under the names that Prometheus' own clients give it.
struct ProcessUsage {
  /// The resident bytes; 0 if unknown.
  let memory = ProcessMemory.resident()
  /// The seconds of processor time of all threads.
  let seconds: Double
  /// The number of open descriptors; `nil` if unknown.
  let descriptors: Int?

  /// The usage now.
  init() {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    // The listing itself has one open.
    descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))
      .map { max(0, $0.count - 1) }
  }
}

extension MetricsText {
  mutating func add(_ process: ProcessUsage, started: Double) {
    add("process_cpu_seconds_total", .counter, "Processor time in seconds.", process.seconds)
    add("process_resident_memory_bytes", .gauge, "Resident memory in bytes.", process.memory)
    if let descriptors = process.descriptors {
      add("process_open_fds", .gauge, "Open file descriptors.", descriptors)
    }
    add("process_start_time_seconds", .gauge, "Start time in seconds since 1970.", started)
  }
}
