import JSONCore
import Timelines

/// Checks consecutive entries like a timeline, without keeping them.
///
/// It holds one state, so a file of any length is checked, including patches, in bounded memory.
struct EntryChain {
  /// The last entry's seq.
  private(set) var last: Int64?

  /// The moment after the last entry, if it is known.
  private(set) var end: Snapshot?

  private var t: Int64 = 0

  /// A chain that continues after a seq, or starts with entry 0.
  init(after last: Int64? = nil, t: Int64 = 0, end: Snapshot? = nil) {
    self.last = last
    self.t = t
    self.end = end
  }

  /// Appends a valid entry; an invalid one does not change the chain.
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

  /// What a keyframe contradicts in its own patch, as a sentence; `nil` for other entries, and if
  /// the state before is not known.
  ///
  /// - Parameter sender: the sender of the entry, such as "The recorder".
  func contradiction(of entry: Entry, sentBy sender: String) -> String? {
    guard entry.gap == nil, entry.patch != nil, var patched = end,
      let keyframe = Snapshot(keyframe: entry)
    else { return nil }
    do {
      try patched.apply(entry)
    } catch {
      return """
        \(sender) sent a keyframe whose patch does not apply: \(error). Its state holds; what \
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
      \(sender) sent a keyframe that contradicts its patch: the state of entry \(entry.seq) is not \
      what its patch makes of the state before it, at \(place). Its state holds; a search for changes \
      does not see the difference.
      """
  }

  /// Checks only the seq of an entry.
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
    // Moved out, so that patching in place has the only reference and copies nothing. A single
    // patch that fails undoes itself; the first of two does not, and needs a copy.
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

package struct Repairs: Hashable, Sendable {
  /// Entries missing between two others; a gap reports them now.
  package var missing: [ClosedRange<Int64>] = []
  /// How many entries could not be kept.
  package var skipped = 0
  /// How many entries lost their state because the previous one is missing.
  package var thinned = 0
  /// How many keyframes lacked the patch with their changes, and have it now.
  package var completed = 0

  package var hasLosses: Bool { !missing.isEmpty || skipped > 0 || thinned > 0 }
}

extension EntryChain {
  /// Appends an entry, changed if it cannot follow as it is; returns the appended entry, or `nil`.
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
      case .notAfter, .timeDecreases, .beyondNumbers, .timeBeyondNumbers:
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

  /// Adds the missing patch of a keyframe, if the state before is known.
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
