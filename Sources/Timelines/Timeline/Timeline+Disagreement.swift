extension Timeline {
  /// A keyframe that says something else than the patches up to it.
  public struct Disagreement: Hashable, Sendable {
    /// The keyframe's seq.
    public var seq: Int64
    /// The moment that the patches give; `nil` where the keyframe's own patches do not apply.
    public var patched: Snapshot?
    /// The moment that the keyframe holds.
    public var keyframe: Snapshot
  }

  /// The keyframes that say something else than the patches up to them.
  ///
  /// The work is as large as all states together.
  public func disagreements() -> [Disagreement] {
    var found: [Disagreement] = []
    var cursor = TimelineCursor(self)
    for index in keyframes where index > 0 && entries[index].patch != nil {
      let entry = entries[index]
      guard entry.gap == nil, let keyframe = Snapshot(keyframe: entry),
        case .known(var patched)? = cursor.move(to: entries[index - 1].seq)
      else { continue }
      do {
        try patched.apply(entry)
        if patched != keyframe {
          found.append(Disagreement(seq: entry.seq, patched: patched, keyframe: keyframe))
        }
      } catch {
        found.append(Disagreement(seq: entry.seq, patched: nil, keyframe: keyframe))
      }
    }
    return found
  }
}
