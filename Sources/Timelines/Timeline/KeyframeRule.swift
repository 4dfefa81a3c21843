import JSONCore

/// Decides which captured entries have the full state.
///
/// An entry becomes a keyframe when the size of the patches since the last one, including its own,
/// reaches the size of the snapshot. So keyframes are at most about half of all bytes, and every
/// moment is at most one snapshot's size of patches away from one. If the previous state is unknown,
/// the entry is always a keyframe.
///
/// ```swift
/// var rule = KeyframeRule()
/// _ = rule.captured(patchBytes: nil, snapshotBytes: 1_900)  // true: the first one
/// _ = rule.captured(patchBytes: 60, snapshotBytes: 1_900)   // false
/// rule.lost()
/// _ = rule.captured(patchBytes: 60, snapshotBytes: 1_900)   // true: nothing to patch
/// ```
public struct KeyframeRule: Hashable, Sendable {
  /// The size of the patches since the last keyframe; `nil` if the state is unknown.
  private var patchBytes: Int?

  /// Creates the rule for a new timeline.
  public init() {}

  /// Creates the rule for the entries after these.
  public init(following entries: some Sequence<Entry>) {
    for entry in entries { record(entry) }
  }

  /// Whether the next captured entry is a keyframe in any case.
  public var needsKeyframe: Bool { patchBytes == nil }

  /// Records a captured entry, and returns whether it is a keyframe.
  ///
  /// - Parameters:
  ///   - patchBytes: The size of both patches; `nil` if the changes are unknown, or the state came from
  ///     outside.
  ///   - snapshotBytes: The size of the full state and outputs.
  public mutating func captured(patchBytes: Int?, snapshotBytes: Int) -> Bool {
    guard let before = self.patchBytes, let patchBytes else {
      self.patchBytes = 0
      return true
    }
    let (sum, overflow) = before.addingReportingOverflow(patchBytes)
    let isKeyframe = overflow || sum >= snapshotBytes
    self.patchBytes = isKeyframe ? 0 : sum
    return isKeyframe
  }

  /// Records a thinned entry.
  public mutating func thinned() { patchBytes = nil }

  /// Records lost entries.
  public mutating func lost() { patchBytes = nil }

  /// Records an existing entry.
  public mutating func record(_ entry: Entry) {
    if entry.isKeyframe {
      patchBytes = 0
    } else if entry.isThinned || entry.gap != nil {
      patchBytes = nil
    } else if let before = patchBytes {
      let own = (entry.patch?.range.count ?? 0) + (entry.outputs?.range.count ?? 0)
      patchBytes = before.addingReportingOverflow(own).overflow ? .max : before + own
    }
  }
}
