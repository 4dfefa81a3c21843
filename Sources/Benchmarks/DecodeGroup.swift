import Foundation
import JSONCore

extension Group {
  /// The decoder against Foundation's, with the same type and the same text.
  static let decode = Group(
    name: "decode",
    summary: "JSON to values",
    metrics: [
      Metric("decode.full_1k_vs_jsondecoder", "times as fast as JSONDecoder, 1 KB state")
    ]
  ) { measure in
    let text = try CanonicalEncoder().encode(SmallState(seed: 1))
    let data = Data(text)
    let ours = CanonicalDecoder()
    let theirs = JSONDecoder()
    theirs.dateDecodingStrategy = .secondsSince1970
    let encoder = CanonicalEncoder()
    guard try encoder.encode(ours.decode(SmallState.self, from: text)) == text,
      try encoder.encode(theirs.decode(SmallState.self, from: data)) == text
    else { throw BenchmarkError("the decoders disagree about the small state") }
    let times = try measure.inTurns([
      { use(try ours.decode(SmallState.self, from: text)) },
      { use(try theirs.decode(SmallState.self, from: data)) },
    ])
    return ["decode.full_1k_vs_jsondecoder": times[1] / times[0]]
  }
}
