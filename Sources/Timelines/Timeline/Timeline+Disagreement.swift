extension Timeline {
  /// A keyframe that differs from the result of the patches before it.
  public struct Disagreement: Hashable, Sendable {
    /// The keyframe's seq.
    public var seq: Int64
    /// The moment that results from the patches; `nil` if the keyframe's own patches do not apply.
    public var patched: Snapshot?
    /// The moment in the keyframe.
    public var keyframe: Snapshot
  }

  /// The keyframes that differ from the result of the patches before them.
  ///
  /// Takes time proportional to the size of all states.
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
