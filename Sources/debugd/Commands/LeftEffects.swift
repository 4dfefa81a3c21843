import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

/// The entries that a branch keeps although it drops the ones that caused them.
///
/// Effects do not run again in a branch, so what an effect of a dropped event sent stays.
struct LeftEffects {
  /// The entries, each with the one that caused it, in order.
  private(set) var entries: [(seq: Int64, cause: Int64)] = []
  private var dropped: [ClosedRange<Int64>] = []
  private var left: Set<Int64> = []
  /// The last entry that the branch can keep.
  private var end: Int64 = .max
  private let timeline: TimelineID

  /// The entries that some edits drop; `nil` if they drop none.
  init?(_ edits: [Edit], of timeline: TimelineID) {
    self.timeline = timeline
    for edit in edits {
      switch edit {
      case .drop(let seqs): dropped.append(seqs)
      case .cut(let seq): end = min(end, seq)
      case .replace, .insert, .move, .append, .startAt, .start: break
      }
    }
    if dropped.isEmpty { return nil }
  }

  /// The first entry that is dropped.
  var first: Int64 { dropped.map(\.lowerBound).min() ?? 0 }

  /// Adds an entry if its cause is dropped or was added; entries come in order.
  mutating func add(_ line: JSONSlice) {
    guard let seq = line["seq"]?.int, seq <= end, !isDropped(seq),
      let cause = CauseReference(of: line, in: timeline), cause.timeline == timeline,
      isDropped(cause.seq) || left.contains(cause.seq)
    else { return }
    left.insert(seq)
    entries.append((seq, cause.seq))
  }

  private func isDropped(_ seq: Int64) -> Bool { dropped.contains { $0.contains(seq) } }

  /// What a person may want to drop, too; `nil` if nothing is left.
  var sentence: String? {
    guard let (seq, cause) = entries.first else { return nil }
    let stays = "Entry \(seq), which \(cause) caused"
    return entries.count == 1
      ? "\(stays), stays. To drop it, too, add --with-effects."
      : "\(stays), and \(entries.count - 1) more stay. To drop them, too, add --with-effects."
  }
}

extension Inquiry {
  /// What a script leaves of the effects of the entries that it drops; `nil` if it drops none.
  ///
  /// - Parameter findsAll: whether to look through the whole timeline, and not only until some are
  ///   found.
  func leftEffects(
    of edits: JSONSlice, in timeline: TimelineID, through: Int64?, findsAll: Bool
  ) async throws -> LeftEffects? {
    // The daemon says what is wrong with a script.
    guard let script = try? EditScript(reading: edits),
      var left = LeftEffects(script.edits, of: timeline)
    else { return nil }
    var window = Window(
      timeline: timeline, from: left.first, count: Self.maximumCaused,
      filter: try Predicate("cause >= \(left.first)"), direction: .forward)
    while let part = try await window.next(self) {
      for line in part where line["seq"]?.int ?? 0 <= through ?? .max { left.add(line) }
      if !findsAll { break }
    }
    return left
  }

  /// The number of entries with causes that are read: a longer script is too large for a message.
  private static let maximumCaused: Int64 = 100_000
}
