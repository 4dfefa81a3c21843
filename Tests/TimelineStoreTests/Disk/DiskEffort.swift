import Foundation
import TestSupport
import Testing

/// How much the tests with a faulty disk try: all of it in the long run, and else a sample that depends
/// on a seed alone.
enum DiskEffort {
  /// The seed of the sample: that of the environment variable `DISK_SEED` (default: 1).
  static let seed = ProcessInfo.processInfo.environment["DISK_SEED"].flatMap(UInt64.init) ?? 1

  /// Every so many operations, one fails.
  static let operationStep = Rounds.choose(23, all: 1)

  /// At every so many moments, power is lost.
  static let momentStep = Rounds.choose(5, all: 1)

  /// Every so many questions of a recovery, one fails.
  static let lookStep = Rounds.choose(4, all: 1)

  /// With so few unsynced changes, every subset of them is tried.
  static let wholeSubsets = Rounds.choose(2, all: 7)

  /// How many subsets of more changes are tried.
  static let subsets = Rounds.choose(1, all: 12)

  /// The numbers of a sample.
  static func sample(of count: Int, step: Int) -> StrideTo<Int> {
    var generator = SeededGenerator(seed: seed)
    return stride(from: .random(in: 0..<step, using: &generator), to: count, by: step)
  }

  /// Reports each problem on a line of its own.
  static func report(_ problems: [String], _ place: SourceLocation = #_sourceLocation) {
    for problem in problems {
      Issue.record("disk seed \(seed): \(problem)", sourceLocation: place)
    }
  }
}
