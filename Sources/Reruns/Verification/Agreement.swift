internal import JSONCore
internal import Timelines
import Wire

/// Follows a recording and its rerun, and finds where they differ.
///
/// While both change the same way, equal bytes prove it, and no state is built. Only where the
/// bytes differ are the two moments built and compared as values.
struct Agreement {
  private let recording: StoredRecording
  /// The last entry after which both are known to be equal.
  private var agreed: Int64
  /// The moment after it, if it was built.
  private var moment: Snapshot?
  /// Computed entries since then for which no state was captured to compare.
  private var pending: [Entry] = []
  private var rerun = RerunComparison(isEqual: true)

  /// The result for one entry.
  enum Finding {
    case same
    /// It was not captured.
    case unknown
    case differs(Difference)
  }

  struct Difference {
    var seq: Int64
    /// The patch from the recorded moment to the computed one.
    var patch: Patch
    /// Whether the inputs hold stand-ins, which may be the reason.
    var isRedacted: Bool
  }

  /// Both are equal after `seq`.
  init(_ recording: StoredRecording, after seq: Int64) {
    self.recording = recording
    agreed = seq
  }

  /// Compares the next entry of both.
  mutating func check(_ recorded: Entry, _ computed: Entry) async throws -> Finding {
    guard recorded.error != "trapped" || computed.error == recorded.error else {
      // Of a crash, only the error is recorded.
      return .differs(
        Difference(
          seq: recorded.seq, patch: Patch([.remove(Pointer(tokens: ["error"]))]),
          isRedacted: !recorded.redacted.isEmpty))
    }
    switch rerun.check(recorded, patch: computed.patch?.bytes, outputs: computed.outputs?.bytes) {
    case .unknown:
      pending.append(computed)
      return .unknown
    // A keyframe's state counts, and equal patches say nothing of it.
    case .same where Self.haveSameError(recorded, computed) && computed.state == nil:
      (agreed, moment) = (recorded.seq, nil)
      return .same
    case .same, .undecided:
      return try await compare(recorded, computed)
    }
  }

  /// Accepts a recorded moment as given: earlier entries no longer count.
  mutating func accept(_ entry: Entry) { skip(through: entry.seq) }

  /// Skips to an entry after which both are known to be equal.
  mutating func skip(through seq: Int64) {
    (agreed, moment, pending) = (seq, nil, [])
    rerun.restart(isEqual: true)
  }

  /// Whether two entries have the same changes in the same bytes.
  static func changesAlike(_ left: Entry, _ right: Entry) -> Bool {
    left.hasChanges(patch: right.patch?.bytes, outputs: right.outputs?.bytes)
      && haveSameError(left, right)
  }

  private static func haveSameError(_ left: Entry, _ right: Entry) -> Bool {
    left.line["error"]?.bytes == right.line["error"]?.bytes
  }

  private mutating func compare(_ recorded: Entry, _ computed: Entry) async throws -> Finding {
    guard let before = try await startingMoment() else { return .unknown }
    var ours = before
    for entry in pending + [computed] { try Self.advance(&ours, by: entry) }
    var theirs = before
    if let keyframe = Snapshot(keyframe: recorded) {
      theirs = keyframe
    } else {
      // A patch follows a captured entry, so nothing is pending here.
      try Self.advance(&theirs, by: recorded)
    }
    let hidden = recorded.redacted + computed.redacted
    let patch = Self.difference(
      Self.json(theirs, recorded, hiding: hidden), Self.json(ours, computed, hiding: hidden))
    guard patch.isEmpty else {
      return .differs(
        Difference(seq: recorded.seq, patch: patch, isRedacted: !hidden.isEmpty))
    }
    (agreed, moment, pending) = (recorded.seq, ours, [])
    rerun.restart(isEqual: true)
    return .same
  }

  private mutating func startingMoment() async throws -> Snapshot? {
    if let moment { return moment }
    moment = try await recording.snapshot(at: agreed)
    return moment
  }

  /// The moment after an entry, made from the one before it.
  static func advance(_ moment: inout Snapshot, by entry: Entry) throws {
    if let keyframe = Snapshot(keyframe: entry) {
      moment = keyframe
      return
    }
    do {
      try moment.apply(entry)
    } catch {
      throw Refusal(.failed, "Entry \(entry.seq) does not follow from the one before: \(error)")
    }
  }

  /// The patch from one moment to another, each part separately: a change of the whole would not
  /// show where to look.
  static func difference(_ old: JSON, _ new: JSON) -> Patch {
    var operations: [Patch.Operation] = []
    for key in ["state", "outputs", "error"] {
      let path = Pointer(tokens: [key])
      switch (old[key], new[key]) {
      case (nil, nil): continue
      case (_?, nil): operations.append(.remove(path))
      case (nil, let new?): operations.append(.add(path, new))
      case (let old?, let new?):
        operations += Patch.difference(from: old, to: new, at: path).operations
      }
    }
    return Patch(operations)
  }

  /// A moment as messages present it; all values that stand-ins replace are equal.
  private static func json(
    _ moment: Snapshot, _ entry: Entry, hiding hidden: [Redaction]
  ) -> JSON {
    let paths = hidden.map(\.pointer)
    let moment = moment.masking(paths)
    if let error = entry.error, !paths.contains(where: { $0.tokens.first == "error" }) {
      return ["state": moment.state, "outputs": moment.outputs, "error": .string(error)]
    }
    return ["state": moment.state, "outputs": moment.outputs]
  }
}
