import Foundation

/// The processor time of all threads of a process, ended ones included.
enum ProcessorClock {
  /// Of this process.
  static func seconds() -> Double { seconds(of: CLOCK_PROCESS_CPUTIME_ID) }

  /// Of another process; `nil` if it has ended.
  static func seconds(ofProcess process: Int32) -> Double? {
    var clock = clockid_t()
    guard clock_getcpuclockid(process, &clock) == 0 else { return nil }
    return seconds(of: clock)
  }

  private static func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
