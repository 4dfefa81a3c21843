internal import JSONCore
internal import TimelineStore
internal import Timelines

/// Compares two runs of the same events: how many entries are equal, where they part, and which
/// paths differ how often.
struct Comparison: Sendable {
  private var equal: Int64 = 0
  private var differing: Int64 = 0
  /// How many entries only one side has.
  private var alone: Int64 = 0
  private var first: (a: Int64, b: Int64, patch: Patch?)?
  private var message: String?
  private var counts: [Pointer: Int64] = [:]

  /// More paths than this tell nobody anything; further ones count for their parent.
  private static let pathLimit = 1_000
  private static let answeredPaths = 64

  /// An entry with the moment after it.
  struct Side: Sendable {
    /// The entry.
    var seq: Int64
    /// The moment.
    var moment: Snapshot
    /// What the reducer threw.
    var error: String?

    fileprivate var json: JSON {
      guard let error else { return ["state": moment.state, "outputs": moment.outputs] }
      return ["state": moment.state, "outputs": moment.outputs, "error": .string(error)]
    }
  }

  /// Whether nothing differed so far.
  var isSame: Bool { differing == 0 }

  /// Takes in two moments that belong together.
  mutating func add(_ a: Side, _ b: Side) {
    guard a.moment != b.moment || a.error != b.error else { return addEqual() }
    differing += 1
    let patch = Agreement.difference(a.json, b.json)
    if first == nil { first = (a.seq, b.seq, patch) }
    for path in Set(patch.operations.map(\.path)) {
      let counted = counts[path] == nil && counts.count >= Self.pathLimit ? path.parent : path
      counts[counted, default: 0] += 1
    }
  }

  /// Takes in an entry that is known to be the same on both sides.
  mutating func addEqual() { equal += 1 }

  /// Takes in an entry that one side ended before, and says why.
  mutating func addMissing(_ seq: Int64, _ why: String) {
    differing += 1
    if first == nil { first = (seq, seq, nil) }
    message = message ?? why
  }

  /// Takes in an entry that only one side has.
  mutating func addAlone() { alone += 1 }

  /// What is answered.
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
      $0.message = message
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
