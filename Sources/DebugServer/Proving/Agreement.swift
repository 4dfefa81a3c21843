internal import JSONCore
internal import Timelines

/// Follows a recording and what came out when it was run again, and says where the two part.
///
/// While both change the same way, equal bytes prove it, and no state is built. Only where the bytes
/// differ are the two moments built and compared as values.
struct Agreement {
  private let recording: Recording
  /// The last entry after which both are known to be the same.
  private var agreed: Int64
  /// The moment after it, when it was built.
  private var moment: Snapshot?
  /// What was computed since, where nothing was captured to compare it with.
  private var pending: [Entry] = []

  /// What is found at an entry.
  enum Finding {
    /// Both are the same.
    case same
    /// It was not captured.
    case unknown
    /// They differ.
    case differs(Difference)
  }

  /// Where the two part.
  struct Difference {
    /// The entry.
    var seq: Int64
    /// What leads from the recorded moment to the computed one.
    var patch: Patch
    /// Whether the inputs hold stand-ins, which may be why.
    var isRedacted: Bool
  }

  /// Both are the same after `seq`.
  init(_ recording: Recording, after seq: Int64) {
    self.recording = recording
    agreed = seq
  }

  /// Goes on with the next entry of both.
  mutating func check(_ recorded: Entry, _ computed: Entry) async throws -> Finding {
    guard recorded.error != "trapped" || computed.error == recorded.error else {
      // Nothing but the error is recorded of what the app died of.
      return .differs(
        Difference(
          seq: recorded.seq, patch: Patch([.remove(Pointer(tokens: ["error"]))]),
          isRedacted: !recorded.redacted.isEmpty))
    }
    guard !recorded.isThinned else {
      pending.append(computed)
      return .unknown
    }
    if pending.isEmpty, Self.changesAlike(recorded, computed) {
      (agreed, moment) = (recorded.seq, nil)
      return .same
    }
    return try await compare(recorded, computed)
  }

  /// Takes a recorded moment as given: what comes before it does not count any more.
  mutating func take(_ entry: Entry) {
    (agreed, moment, pending) = (entry.seq, nil, [])
  }

  /// Goes on after an entry up to which both are known to be the same.
  mutating func skip(through seq: Int64) { (agreed, moment, pending) = (seq, nil, []) }

  /// Whether two entries say the same in the same bytes.
  static func changesAlike(_ left: Entry, _ right: Entry) -> Bool {
    guard let patch = left.patch, let other = right.patch, patch.bytes == other.bytes else {
      return false
    }
    return left.outputs?.bytes == right.outputs?.bytes
      && left.line["error"]?.bytes == right.line["error"]?.bytes
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

  /// What leads from one moment to another, each part of it by itself: a change of the whole tells
  /// nobody where to look.
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

  /// A moment as the paths of messages see it; values that stand-ins replace are all alike.
  private static func json(
    _ moment: Snapshot, _ entry: Entry, hiding hidden: [Redaction]
  ) -> JSON {
    var json: JSON = ["state": moment.state, "outputs": moment.outputs]
    if let error = entry.error, !hidden.contains(where: { $0.pointer.tokens.first == "error" }) {
      json = ["state": moment.state, "outputs": moment.outputs, "error": .string(error)]
    }
    for redaction in hidden where json[redaction.pointer] != nil {
      // Where the pointer leads nowhere there is nothing to hide.
      try? json.apply(Patch([.replace(redaction.pointer, .null)]))
    }
    return json
  }
}
