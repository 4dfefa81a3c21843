import JSONCore
import Timelines

/// The entry that an entry's cause names.
struct CauseReference: Sendable {
  let timeline: TimelineID
  let seq: Int64

  /// The cause of an entry; `nil` if it has none.
  ///
  /// - Parameter timeline: the entry's own timeline.
  init?(of line: JSONSlice?, in timeline: TimelineID) {
    guard let cause = line?["cause"] else { return nil }
    if let seq = cause.int {
      (self.timeline, self.seq) = (timeline, seq)
    } else if let text = cause.string, let reference = EntryReference(text) {
      (self.timeline, self.seq) = (reference.timeline, reference.seq)
    } else {
      return nil
    }
  }
}
