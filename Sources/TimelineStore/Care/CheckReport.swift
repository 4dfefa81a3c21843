package import Timelines

/// What a check found.
package struct CheckReport: Hashable, Sendable {
  /// Something that is wrong.
  package struct Finding: Hashable, Sendable {
    /// The timeline, when it concerns one.
    package var timeline: TimelineID?
    /// The entries that it concerns.
    package var seqs: ClosedRange<Int64>?
    /// What is wrong, a sentence.
    package var text: String
    /// What is at fault.
    package var origin = FindingOrigin.storage
  }

  /// What is wrong; at most ``findingLimit`` of it.
  package var findings: [Finding] = []

  /// How many timelines were looked at.
  package var timelines = 0

  /// How many entries were read.
  package var entries: Int64 = 0

  /// How many chunks have no index; it is made beside other work.
  package var unindexed = 0

  /// Whether the database itself is damaged.
  package var isDamaged: Bool { findings.contains { $0.origin == .storage } }

  /// Whether nothing is wrong.
  package var isClean: Bool { findings.isEmpty }

  /// More would say no more.
  package static let findingLimit = 1_000

  mutating func note(
    _ text: String, _ timeline: TimelineID? = nil, _ seqs: ClosedRange<Int64>? = nil,
    from origin: FindingOrigin = .storage
  ) {
    guard findings.count < Self.findingLimit else { return }
    findings.append(Finding(timeline: timeline, seqs: seqs, text: text, origin: origin))
  }
}
