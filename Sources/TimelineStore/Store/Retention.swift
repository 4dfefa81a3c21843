package import Timelines

/// The retention limits.
///
/// Timelines with marks are always kept. Of the others, the oldest are deleted first; a timeline
/// and its branches are deleted together.
package struct Retention: Hashable, Sendable {
  /// The maximum bytes of the database. Default: no limit.
  package var bytes: Int64?

  /// How long a timeline is kept after its last entry, in seconds. Default: no limit.
  package var seconds: Int64?

  /// The maximum number of timelines per app, not counting branches. Default: no limit.
  package var perApp: Int?

  package init(bytes: Int64? = nil, seconds: Int64? = nil, perApp: Int? = nil) {
    self.bytes = bytes
    self.seconds = seconds
    self.perApp = perApp
  }
}

package struct Pruned: Hashable, Sendable {
  package var deleted: [TimelineID] = []
  /// The timelines whose beginning was cut off.
  package var shortened: [TimelineID] = []
  /// What was done and why, one sentence each.
  package var sentences: [String] = []
  /// Whether the limit of bytes could not be applied yet.
  package var isWaiting = false

  package init() {}
}

/// A timeline and all its branches, which are kept or deleted together.
struct TimelineTree {
  let root: TimelineRecord
  let members: [TimelineRecord]

  /// The time of the last write, in microseconds since 1970.
  let touched: Int64

  var stored: Int64 { members.reduce(0) { $0 + $1.stored } }

  var isMarked: Bool { members.contains { !$0.marks.isEmpty } }

  /// The name of the tree for people.
  var title: String {
    let name = root.name.map { "'\($0)'" } ?? root.id.text
    let branches = members.count - 1
    return "\(name) of \(root.app)"
      + (branches == 0 ? "" : branches == 1 ? " with a branch" : " with \(branches) branches")
  }

  /// The trees of a catalog, the oldest first.
  ///
  /// - Parameter now: the wall clock in microseconds since 1970.
  static func all(of records: [TimelineRecord], now: Int64) -> [TimelineTree] {
    let rows = Set(records.map(\.row))
    let roots = records.filter { record in record.parent.map { !rows.contains($0.row) } ?? true }
    return
      roots
      .map { root in
        let members = [root] + records.descendants(of: root)
        let touched = members.reduce(0) { max($0, $1.written(now: now)) }
        return TimelineTree(root: root, members: members, touched: touched)
      }
      .sorted { ($0.touched, $0.root.row) < ($1.touched, $1.root.row) }
  }
}

extension TimelineRecord {
  /// The time of the last write, in microseconds since 1970.
  ///
  /// For sealed entries, this machine's clock recorded it. For others it is the last entry's time
  /// by the recorder's clock: a time slightly in the future counts as now, and one that is more
  /// than a day in the future is ignored as wrong.
  fileprivate func written(now: Int64) -> Int64 {
    let dayOfMicroseconds: Int64 = 86_400_000_000
    let (last, overflow) = started.microseconds.addingReportingOverflow(duration)
    guard !overflow, last <= now + dayOfMicroseconds else { return touched }
    return max(touched, min(now, last))
  }
}

extension Retention {
  /// The trees to delete, with the reason, and the bytes above the limit even then.
  ///
  /// - Parameters:
  ///   - used: the bytes of the database, including the index.
  ///   - now: the wall clock in microseconds since 1970.
  func plan(
    _ trees: [TimelineTree], live: Set<TimelineID>, used: Int64, now: Int64
  ) -> (doomed: [(tree: TimelineTree, why: String)], excess: Int64) {
    var doomed: [(tree: TimelineTree, why: String)] = []
    var kept: [TimelineTree] = []
    var counts: [String: Int] = [:]
    // The newest first, so that the limit per app removes the older ones.
    for tree in trees.reversed() {
      let isLive = tree.members.contains { live.contains($0.id) }
      counts[tree.root.app, default: 0] += 1
      if tree.isMarked || isLive {
        kept.append(tree)
      } else if let perApp, counts[tree.root.app, default: 0] > perApp {
        doomed.append((tree, "more than \(perApp) of that app"))
      } else if let seconds, now - tree.touched > seconds.saturatingMultiplied(by: 1_000_000) {
        doomed.append((tree, "older than \(Self.duration(seconds))"))
      } else {
        kept.append(tree)
      }
    }
    doomed.reverse()
    guard let bytes else { return (doomed, 0) }
    // Index and free pages are attributed to the entries in proportion.
    let stored = max(1, trees.reduce(0) { $0 + $1.stored })
    let share = max(1, Double(used) / Double(stored))
    var left = used - Int64(Double(doomed.reduce(0) { $0 + $1.tree.stored }) * share)
    for tree in kept.reversed() where left > bytes {
      guard !tree.isMarked, !tree.members.contains(where: { live.contains($0.id) }) else {
        continue
      }
      doomed.append((tree, "the limit of \(bytes) bytes"))
      left -= Int64(Double(tree.stored) * share)
    }
    return (doomed, max(0, Int64(Double(left - bytes) / share)))
  }

  private static func duration(_ seconds: Int64) -> String {
    switch seconds {
    case 172_800...: "\(seconds / 86_400) days"
    case 7_200...: "\(seconds / 3_600) hours"
    default: "\(seconds) seconds"
    }
  }
}

extension Int64 {
  fileprivate func saturatingMultiplied(by other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
