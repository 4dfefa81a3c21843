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

/// Why a measurement would mean nothing.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
