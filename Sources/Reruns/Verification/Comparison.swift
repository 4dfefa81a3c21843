internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

/// Compares two runs of the same events: how many entries are equal, where they first differ, and
/// which paths differ how often.
struct Comparison: Sendable {
  private var equal: Int64 = 0
  private var differing: Int64 = 0
  /// The number of entries that only one side has.
  private var alone: Int64 = 0
  private var first: (a: Int64, b: Int64, patch: Patch?)?
  private var message: String?
  private var counts: [Pointer: Int64] = [:]
  /// Whether the two are independent recordings, aligned by their events. The first difference is
  /// then, if there is one, an event that led from one state to different ones.
  var isByEvents = false
  /// Whether the last entries are equal, and no entry of only one side came after them.
  private var areEven = true
  /// Whether `first` is an event that led from one state to different ones.
  private var isFirstUnlike = false
  private var hasUnknown = false

  /// The maximum number of paths to report; differences at further ones count for their parent.
  private static let pathLimit = 1_000
  private static let answeredPaths = 64

  /// An entry with the moment after it.
  struct Side: Sendable {
    var seq: Int64
    var moment: Snapshot
    /// The error that the reducer threw.
    var error: String?

    fileprivate var json: JSON {
      guard let error else { return ["state": moment.state, "outputs": moment.outputs] }
      return ["state": moment.state, "outputs": moment.outputs, "error": .string(error)]
    }
  }

  /// Whether there is no difference so far.
  var isSame: Bool { differing == 0 }

  /// Compares two corresponding moments.
  mutating func add(_ a: Side, _ b: Side) {
    guard a.moment != b.moment || a.error != b.error else { return addEqual() }
    differing += 1
    let patch = Agreement.difference(a.json, b.json)
    if first == nil || isByEvents && areEven && !isFirstUnlike {
      first = (a.seq, b.seq, patch)
      isFirstUnlike = areEven
    }
    areEven = false
    let before = a.json
    let changes = ValueChange.changes(of: patch) { before[$0] }
    for path in Set(changes.map(\.path)) {
      let counted = counts[path] == nil && counts.count >= Self.pathLimit ? path.parent : path
      counts[counted, default: 0] += 1
    }
  }

  /// Counts an entry that is known to be equal on both sides.
  mutating func addEqual() {
    equal += 1
    areEven = true
  }

  /// Adds an entry that one side did not reach, and the reason.
  mutating func addMissing(_ seq: Int64, _ why: String) {
    differing += 1
    if first == nil { first = (seq, seq, nil) }
    message = message ?? why
  }

  /// Counts an entry that only one side has.
  mutating func addAlone() {
    alone += 1
    areEven = false
  }

  /// Adds corresponding entries of which one was not captured.
  mutating func addUnknown() {
    hasUnknown = true
    areEven = false
  }

  /// What the first difference of independent recordings means.
  private var explanation: String? {
    guard isByEvents, differing > 0 else { return nil }
    if isFirstUnlike {
      return first?.a == 0
        ? "They differ at the start, before any event."
        : "Before it, both had the same state: the same event led to different ones."
    }
    return hasUnknown ? nil : "Each difference begins with an event that only one of them has."
  }

  func answer(_ a: TimelineID, _ b: TimelineID) throws -> ToInspector.Compare {
    let patch = try first?.patch?.json.slice
    let paths = counts.sorted { ($1.value, $0.key.description) < ($0.value, $1.key.description) }
    return ToInspector.Compare {
      $0.equal = equal
      $0.differing = differing
      $0.alone = alone == 0 ? nil : alone
      $0.a = first.map { EntryReference(timeline: a, seq: $0.a) }
      $0.b = first.map { EntryReference(timeline: b, seq: $0.b) }
      $0.patch = patch
      $0.message = message ?? explanation
      if !paths.isEmpty {
        $0.paths = paths.prefix(Self.answeredPaths).map { path, count in
          ToInspector.PathCount {
            $0.path = path
            $0.entries = count
          }
        }
      }
    }
  }
}
