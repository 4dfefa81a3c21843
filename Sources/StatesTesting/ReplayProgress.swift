internal import Foundation

/// Tells how far a long replay is.
struct ReplayProgress {
  private let name: String
  private let count: Int
  private let now: () -> ContinuousClock.Instant
  private let write: (String) -> Void
  private var done = 0
  private var told: ContinuousClock.Instant

  /// Tells it on standard error, in tests elsewhere.
  init(
    _ name: String, count: Int, now: @escaping () -> ContinuousClock.Instant = { .now },
    write: @escaping (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
  ) {
    self.name = name
    self.count = count
    self.now = now
    self.write = write
    told = now()
  }

  /// The clock is asked once for so many entries.
  private static let interval = 1_024

  /// Counts an entry; every two seconds it says so.
  mutating func step() {
    done += 1
    guard done % Self.interval == 0 else { return }
    let time = now()
    guard told.duration(to: time) > .seconds(2) else { return }
    told = time
    write("\(name): \(done) of \(count) entries\n")
  }
}
