import JSONCore
import Timelines

/// Checks entries one after the other, as a timeline does, without keeping them.
///
/// Holds one state, so that a file of any length is checked, patches included, in bounded memory.
struct EntryChain {
  /// The last entry's seq.
  private(set) var last: Int64?

  /// The moment after the last entry, when it is known.
  private(set) var end: Snapshot?

  private var t: Int64 = 0

  /// A chain that begins after a seq; 0 comes first without one.
  init(after last: Int64? = nil, t: Int64 = 0) {
    self.last = last
    self.t = t
  }

  /// Takes an entry that can follow; at one that cannot, the chain stays what it was.
  mutating func append(_ entry: Entry) throws(TimelineError) {
    try checkSeq(of: entry)
    guard entry.t >= t else { throw TimelineError(.timeDecreases(from: t), at: entry.seq) }
    let isBaseKnown = end != nil && entry.gap == nil
    if let snapshot = Snapshot(keyframe: entry) {
      guard !isBaseKnown || entry.patch != nil else {
        throw TimelineError(.changesMissing, at: entry.seq)
      }
      end = snapshot
    } else if entry.isThinned {
      end = nil
    } else {
      guard isBaseKnown else { throw TimelineError(.patchWithoutBase, at: entry.seq) }
      try patch(with: entry)
    }
    last = entry.seq
    t = entry.t
  }

  /// What a keyframe says that its patch contradicts, a sentence; `nil` for any other entry, and where
  /// the state before it is not known.
  func contradiction(of entry: Entry) -> String? {
    guard entry.gap == nil, entry.patch != nil, var patched = end,
      let keyframe = Snapshot(keyframe: entry)
    else { return nil }
    do {
      try patched.apply(entry)
    } catch {
      return """
        The recorder sent a keyframe whose patch does not apply: \(error). Its state holds; what \
        changed at it is unknown.
        """
    }
    guard patched != keyframe else { return nil }
    let isState = patched.state != keyframe.state
    let (before, after) =
      isState ? (patched.state, keyframe.state) : (patched.outputs, keyframe.outputs)
    let path = Patch.difference(from: before, to: after).operations.first?.path ?? .root
    let place = (isState ? "/state" : "/outputs") + path.description
    return """
      The recorder sent a keyframe that contradicts its patch: the state of entry \(entry.seq) is not \
      what its patch makes of the state before it, at \(place). Its state holds; a search for changes \
      does not see the difference.
      """
  }

  /// Checks the seq of an entry alone.
  func checkPlace(of entry: Entry) throws(TimelineError) { try checkSeq(of: entry) }

  private func checkSeq(of entry: Entry) throws(TimelineError) {
    try entry.checkNumbers()
    let last = last ?? -1
    guard entry.seq > last else { throw TimelineError(.notAfter(last: last), at: entry.seq) }
    if let gap = entry.gap {
      guard entry.seq - last - 1 == gap.lost else {
        let (sum, overflow) = (last + 1).addingReportingOverflow(gap.lost)
        throw TimelineError(
          .gapDoesNotFit(lost: gap.lost, expected: overflow ? nil : sum), at: entry.seq)
      }
    } else if entry.seq - 1 != last {
      throw TimelineError(.skips(expected: last + 1), at: entry.seq)
    }
  }

  private mutating func patch(with entry: Entry) throws(TimelineError) {
    // Moved out, so that patching in place finds no second reference and copies nothing. One patch
    // that does not apply is taken back by itself; the first of two is not, and needs a copy.
    guard var snapshot = end else { return }
    let before = entry.patch != nil && entry.outputs != nil ? snapshot : nil
    end = nil
    do {
      try snapshot.apply(entry)
      end = snapshot
    } catch {
      end = before ?? snapshot
      throw error
    }
  }
}

/// What a repair did.
package struct Repairs: Hashable, Sendable {
  /// Entries that should stand between two others and do not; a gap says so now.
  package var missing: [ClosedRange<Int64>] = []
  /// How many entries could not be kept.
  package var skipped = 0
  /// How many entries lost their state, because the one before is missing.
  package var thinned = 0
  /// How many keyframes did not say what they changed, and do now.
  package var completed = 0

  /// Whether anything is missing.
  package var hasLosses: Bool { !missing.isEmpty || skipped > 0 || thinned > 0 }
}

extension EntryChain {
  /// Takes an entry, changed where it cannot follow as it is; answers what was taken, or `nil`.
  ///
  /// The rules are those of `TimelineFile.recover`.
  mutating func appendRepaired(
    _ entry: Entry, _ repairs: inout Repairs, why: String = "damaged"
  ) -> Entry? {
    do {
      try append(entry)
      return entry
    } catch {
      var draft = EntryDraft(entry)
      let isThinned = !entry.isKeyframe && !entry.isThinned
      var isCompleted = false
      let lost = entry.seq - (last ?? -1) - 1
      var isBehindLoss = false
      switch error.reason {
      case .skips, .gapDoesNotFit:
        isBehindLoss = lost > 0
        draft.gap = isBehindLoss ? Gap(lost: lost, why: why) : nil
        isCompleted = lost == 0 && complete(&draft, of: entry)
      case .changesMissing: isCompleted = complete(&draft, of: entry)
      case .patchWithoutBase, .patch, .outputs: break
      case .notAfter, .timeDecreases, .beyondNumbers:
        repairs.skipped += 1
        return nil
      }
      if isThinned { draft.thin() }
      let next = (last ?? -1) + 1
      guard let repaired = try? draft.entry(), (try? append(repaired)) != nil else {
        repairs.skipped += 1
        return nil
      }
      if isBehindLoss { repairs.missing.append(next...entry.seq - 1) }
      if isThinned { repairs.thinned += 1 }
      if isCompleted { repairs.completed += 1 }
      return repaired
    }
  }

  /// Gives a keyframe that lacks it the patch from the state before, when that is known.
  private func complete(_ draft: inout EntryDraft, of entry: Entry) -> Bool {
    guard entry.patch == nil, let before = end, let after = Snapshot(keyframe: entry) else {
      return false
    }
    draft.patch = Self.patch(from: before.state, to: after.state)
    let outputs = Self.patch(from: before.outputs, to: after.outputs)
    draft.outputs = before.outputs == after.outputs ? nil : outputs
    return true
  }

  private static func patch(from before: JSON, to after: JSON) -> ArraySlice<UInt8> {
    Patch.difference(from: before, to: after).json.encoded()[...]
  }
}
