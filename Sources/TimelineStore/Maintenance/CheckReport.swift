package import Timelines
package import Wire

package struct CheckReport: Hashable, Sendable {
  package struct Finding: Hashable, Sendable {
    /// The affected timeline, if there is one.
    package var timeline: TimelineID?
    package var seqs: ClosedRange<Int64>?
    /// The problem, as a sentence.
    package var text: String
    package var origin = FindingOrigin.storage
  }

  /// The problems; at most ``findingLimit`` of them.
  package var findings: [Finding] = []

  /// The number of checked timelines.
  package var timelines = 0

  /// The number of checked entries.
  package var entries: Int64 = 0

  /// The number of chunks without an index, which is built in the background.
  package var unindexed = 0

  /// Whether the database itself is damaged.
  package var isDamaged: Bool { findings.contains { $0.origin == .storage } }

  package var isClean: Bool { findings.isEmpty }

  /// A person would not read more.
  package static let findingLimit = 1_000

  mutating func add(
    _ text: String, _ timeline: TimelineID? = nil, _ seqs: ClosedRange<Int64>? = nil,
    from origin: FindingOrigin = .storage
  ) {
    guard findings.count < Self.findingLimit else { return }
    findings.append(Finding(timeline: timeline, seqs: seqs, text: text, origin: origin))
  }
}
