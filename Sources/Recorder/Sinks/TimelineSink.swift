package import Timelines

/// A destination of entries: a daemon, a file, memory.
///
/// It is called on the recorder's thread only, and must not block. It counts entries that it cannot
/// accept as lost, and never throws.
package protocol TimelineSink: AnyObject {
  func open(_ header: Header)
  /// Appends entries to a timeline, in order.
  func append(_ entries: ArraySlice<WrittenEntry>, to timeline: TimelineID)
  /// Closes a timeline. The gap has what was lost at its end.
  func close(_ timeline: TimelineID, gap: Gap?)
}
