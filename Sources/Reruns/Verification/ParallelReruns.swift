internal import JSONCore
internal import Timelines
import Wire

/// The results of several processes for the same events.
///
/// They are equal if the reducer depends only on its input.
struct ParallelReruns: Sendable {
  /// One for each process, in order.
  var reruns: [Rerun]

  /// Where two processes differ.
  struct Split {
    var seq: Int64
    /// The patch from one moment to the other.
    var patch: Patch?
  }

  /// The first entry that differs; `nil` if there is none.
  func split(first: Int64) throws -> Split? {
    guard let one = reruns.first else { return nil }
    var found: Split?
    for other in reruns.dropFirst() {
      if let split = try Self.split(one, other, first: first), split.seq < found?.seq ?? .max {
        found = split
      }
    }
    return found
  }

  private static func split(_ one: Rerun, _ other: Rerun, first: Int64) throws -> Split? {
    let count = min(one.entries.count, other.entries.count)
    var moments: (Snapshot, Snapshot)?
    for index in 0..<count {
      let (left, right) = (one.entries[index], other.entries[index])
      if moments == nil, isSame(left, right) { continue }
      // Different bytes may still be the same value; compare values from here on.
      var pair = try moments ?? moment(before: index, one, other)
      try Agreement.advance(&pair.0, by: left)
      try Agreement.advance(&pair.1, by: right)
      moments = pair
      let patch = Agreement.difference(
        ["state": pair.0.state, "outputs": pair.0.outputs],
        ["state": pair.1.state, "outputs": pair.1.outputs])
      if !patch.isEmpty || left.error != right.error { return Split(seq: left.seq, patch: patch) }
    }
    guard one.entries.count != other.entries.count || one.ended?.why != other.ended?.why else {
      return nil
    }
    return Split(seq: first + Int64(count), patch: nil)
  }

  private static func isSame(_ left: Entry, _ right: Entry) -> Bool {
    left.patch?.bytes == right.patch?.bytes && left.outputs?.bytes == right.outputs?.bytes
      && left.state?.bytes == right.state?.bytes
      && left.outputState?.bytes == right.outputState?.bytes && left.error == right.error
  }

  private static func moment(
    before index: Int, _ one: Rerun, _ other: Rerun
  ) throws -> (Snapshot, Snapshot) {
    var pair = (Snapshot(state: .null), Snapshot(state: .null))
    for earlier in 0..<index {
      try Agreement.advance(&pair.0, by: one.entries[earlier])
      try Agreement.advance(&pair.1, by: other.entries[earlier])
    }
    return pair
  }
}
