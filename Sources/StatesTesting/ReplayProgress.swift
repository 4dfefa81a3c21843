internal import Foundation

/// Reports the progress of a long replay.
struct ReplayProgress {
  private let name: String
  private let count: Int
  private let now: () -> ContinuousClock.Instant
  private let write: (String) -> Void
  private var done = 0
  private var lastReport: ContinuousClock.Instant

  /// Reports to standard error (default); tests pass their own clock and output.
  init(
    _ name: String, count: Int, now: @escaping () -> ContinuousClock.Instant = { .now },
    write: @escaping (String) -> Void = {
      try? FileHandle.standardError.write(contentsOf: Data($0.utf8))
    }
  ) {
    self.name = name
    self.count = count
    self.now = now
    self.write = write
    lastReport = now()
  }

  /// The clock is read once for this many entries.
  private static let interval = 1_024

  /// Counts an entry, and reports every two seconds.
  mutating func step() {
    done += 1
    guard done % Self.interval == 0 else { return }
    let time = now()
    guard lastReport.duration(to: time) > .seconds(2) else { return }
    lastReport = time
    write("\(name): \(done) of \(count) entries\n")
  }
}
