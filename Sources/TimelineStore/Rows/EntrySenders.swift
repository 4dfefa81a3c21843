internal import Timelines

/// The senders of the entries of a timeline.
package struct EntrySenders: Sendable {
  /// The first entry that a host computed. A branch from a file has entries of its parent before it, even
  /// if the parent is not stored.
  private let firstComputed: Int64?

  package init(_ record: TimelineRecord) {
    firstComputed = (try? Header(reading: record.header))?.parent?.start
  }

  /// The sender of an entry, as the subject of a sentence.
  package func sender(of seq: Int64) -> String {
    guard let firstComputed, seq >= firstComputed else { return "The recorder" }
    return "The host that computed this branch"
  }
}
