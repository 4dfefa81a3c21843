package import Timelines

/// Where a recorder's lines go: a daemon, a file, memory.
///
/// It is called on the recorder's thread alone, and never waits there. What it cannot take it counts
/// as lost; it never throws at the recorder.
package protocol TimelineSink: AnyObject {
  /// Begins a timeline.
  func open(_ header: Header)
  /// Takes entries of a timeline, in order.
  func append(_ entries: ArraySlice<WrittenEntry>, to timeline: TimelineID)
  /// Ends a timeline; the gap says what was lost at its end.
  func close(_ timeline: TimelineID, gap: Gap?)
}
