import Foundation
import JSONCore

extension Group {
  /// Applies and computes patches of JSON values.
  static let patch = Group(
    name: "patch",
    summary: "patches of JSON values",
    metrics: [
      Metric("patch.apply_ns", "nanoseconds to apply the patch of one event, 10 KB value"),
      Metric("patch.apply_1m_ns", "the same, 1 MB value"),
      Metric("patch.difference_us", "microseconds to find the patch of one event, 10 KB values"),
    ]
  ) { measure in
    let (value, patch, next) = try sample(itemCount: 90)
    let (large, largePatch, largeNext) = try sample(itemCount: 10_000)
    guard try value.applying(patch) == next, try large.applying(largePatch) == largeNext,
      Patch.difference(from: value, to: next) == patch
    else { throw BenchmarkError("a patch does not lead to the other value") }
    // In place, like a replay. The values alternate, so that every patch changes something.
    let (back, largeBack) = (
      Patch.difference(from: next, to: value), Patch.difference(from: largeNext, to: large)
    )
    var (current, largeCurrent) = (value, large)
    let times = try measure.inTurns([
      {
        try current.apply(patch)
        try current.apply(back)
      },
      {
        try largeCurrent.apply(largePatch)
        try largeCurrent.apply(largeBack)
      },
      { use(Patch.difference(from: value, to: next)) },
    ])
    return [
      "patch.apply_ns": times[0] / 2, "patch.apply_1m_ns": times[1] / 2,
      "patch.difference_us": times[2] / 1_000,
    ]
  }

  /// A value, the patch of one event, and the value after it.
  private static func sample(itemCount: Int) throws -> (JSON, Patch, JSON) {
    let state = LargeState(seed: 4, count: itemCount)
    var encoder = IncrementalEncoder<LargeState>()
    let value = try JSON(parsing: encoder.start(state))
    let change = try encoder.advance(to: state.changed(at: itemCount / 3))
    return (value, try Patch(JSON(parsing: change.patch)), try JSON(parsing: encoder.fullBytes()))
  }
}
