import JSONCore

/// Decides which captured entries hold the full state.
///
/// An entry is a keyframe when the bytes of the patches since the last one, its own included, reach
/// those of the snapshot. Keyframes are then at most about half of all bytes, and no moment is more
/// than one snapshot's bytes of patches away from one. Where the state before is not known, there is
/// nothing to patch: the entry is a keyframe whatever its size.
///
/// ```swift
/// var rule = KeyframeRule()
/// rule.captured(patchBytes: nil, snapshotBytes: 1_900)  // true: the first one
/// rule.captured(patchBytes: 60, snapshotBytes: 1_900)   // false
/// rule.lost()
/// rule.captured(patchBytes: 60, snapshotBytes: 1_900)   // true: nothing to patch
/// ```
public struct KeyframeRule: Hashable, Sendable {
  /// The bytes of patches since the last keyframe; `nil` when the state is not known.
  private var patchBytes: Int?

  /// The rule at the beginning of a timeline.
  public init() {}

  /// The rule for what follows these entries.
  public init(following entries: some Sequence<Entry>) {
    for entry in entries { note(entry) }
  }

  /// Whether the next captured entry will be a keyframe whatever its size.
  public var needsKeyframe: Bool { patchBytes == nil }

  /// Notes that an entry was captured; answers whether it is a keyframe.
  ///
  /// - Parameters:
  ///   - patchBytes: The bytes of both patches; `nil` where the changes are unknown, or where the
  ///     state was given from outside.
  ///   - snapshotBytes: The bytes of state and outputs in full.
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

  /// Notes that an entry was thinned.
  public mutating func thinned() { patchBytes = nil }

  /// Notes that entries were lost.
  public mutating func lost() { patchBytes = nil }

  /// Notes an entry as it is.
  public mutating func note(_ entry: Entry) {
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
