import Foundation
import JSONCore

extension Group {
  /// The encoder against Foundation's, with the same type and equal content.
  static let encode = Group(
    name: "encode",
    summary: "values to JSON, and checking JSON",
    metrics: [
      Metric(
        "encode.full_1k_vs_jsonencoder", "times as fast as JSONEncoder, 1 KB state",
        goal: .atLeast(4)),
      Metric(
        "encode.one_change_in_10k_items_vs_jsonencoder",
        "times as fast as JSONEncoder: patch, and full bytes when due, 1 MB state",
        goal: .atLeast(200)),
      Metric(
        "encode.one_change_in_10k_items_with_release_vs_jsonencoder",
        "the same, releasing the value before last within the time"),
      Metric("encode.scan_vs_memcpy", "times the time of memcpy, validating 1 MB (less is better)"),
    ]
  ) { measure in
    var values: [String: Double] = [:]
    let small = SmallState(seed: 1)
    let ours = CanonicalEncoder()
    let theirs = JSONEncoder()
    theirs.dateEncodingStrategy = .secondsSince1970
    guard try JSON(parsing: ours.encode(small)) == JSON(parsing: Array(theirs.encode(small)))
    else { throw BenchmarkError("the encoders disagree about the small state") }

    let full = try measure.inTurns([
      { use(try ours.encode(small)) },
      { use(try theirs.encode(small)) },
    ])
    values["encode.full_1k_vs_jsonencoder"] = full[1] / full[0]

    let large = LargeState(seed: 2)
    let changes = try OneChange(large).measure(measure, jsonEncoder: theirs)
    values["encode.one_change_in_10k_items_vs_jsonencoder"] = changes.ratio
    values["encode.one_change_in_10k_items_with_release_vs_jsonencoder"] = changes.ratioWithRelease

    let text = try ours.encode(large)
    var copy = [UInt8](repeating: 0, count: text.count)
    let scan = try measure.inTurns([
      { use(try JSONSlice(validating: text)) },
      {
        // Safe: both have the same count, and neither pointer leaves the call.
        copy.withUnsafeMutableBytes { copy in text.withUnsafeBytes { copy.copyMemory(from: $0) } }
        use(copy.count)
      },
    ])
    values["encode.scan_vs_memcpy"] = scan[0] / scan[1]
    return values
  }
}

/// Why a measurement would be meaningless.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
