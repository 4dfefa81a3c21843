import Foundation

/// The number of entries of `--huge`, and where they are.
struct HugeScale: Sendable {
  /// A hundred million; with `--quick`, a million.
  let long: Int
  /// A tenth of it.
  let short: Int

  init(_ measure: Measure) {
    long = measure.isQuick ? 1_000_000 : 100_000_000
    short = long / 10
  }

  /// The folder of the store, which the groups share and the end of the process removes, unless
  /// `BENCHMARKS_KEEP` names one to keep it in.
  func folder() throws -> String {
    let kept = ProcessInfo.processInfo.environment[StoredPayments.keepingVariable]
    let parent = kept ?? Self.temporary
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try checkSpace(in: parent)
    let folder = "\(parent)/huge-\(long)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Removes the shared store.
  static func clean() { try? FileManager.default.removeItem(atPath: temporary) }

  private static let temporary = NSTemporaryDirectory() + "bench-huge-\(getpid())"

  /// Two stores of 30 bytes an entry, and room for the one that is being written.
  private static let bytesOfEntry = 100

  /// Checks that the disk has room before an hour of writing.
  func checkSpace(in folder: String) throws {
    let values = try URL(fileURLWithPath: folder).resourceValues(
      forKeys: [.volumeAvailableCapacityKey])
    let free = values.volumeAvailableCapacity ?? 0
    let needed = (long + short) * Self.bytesOfEntry
    guard free >= needed else {
      throw BenchmarkError(
        "\(folder) has \(free >> 30) GiB free, and --huge needs \(needed >> 30) GiB; "
          + "to fix, delete files, or add --quick for a hundredth of the entries")
    }
  }
}
