import JSONCore
import StatesCore
import Timelines

extension Group {
  /// Reruns timelines, and exports tests from them.
  static let prove = Group(
    name: "prove",
    summary: "verify, minimize: a daemon, spawned hosts, and the disk; tests of timelines",
    metrics: [verifyMetric, verifyRateMetric, minimizeMetric, minimizeRunsMetric, exportMetric]
  ) { measure in
    let verified = try verifyRate(measure)
    let minimized = try minimizeTimes(measure)
    return try exportTimes(measure).merging(verified) { $1 }.merging(minimized) { $1 }
  }
}
