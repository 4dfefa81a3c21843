import JSONCore
import StatesCore
import Timelines

extension Group {
  /// Running timelines again, and making tests of them.
  static let prove = Group(
    name: "prove",
    summary: "verify, minimise: a daemon, spawned hosts, and the disk; tests of timelines",
    metrics: [verifyMetric, minimiseMetric, minimiseRunsMetric, exportMetric]
  ) { measure in
    let verified = try verifyRate(measure)
    let minimised = try minimiseTimes(measure)
    return try exportTimes(measure).merging(verified) { $1 }.merging(minimised) { $1 }
  }
}
