package import Timelines

/// What a sink asks of the pipeline that feeds it.
package enum SinkRequest: Hashable, Sendable {
  /// The next captured entry of that timeline must be a keyframe: its predecessor was thinned or
  /// lost on the way, or only kept so.
  ///
  /// It still has its patch where the pipeline knows it (`forceKeyframe()` of the writer), for the
  /// other end may have the predecessor.
  case keyframe(TimelineID)
  /// The timeline was deleted at the other end: the pipeline closes it and opens another, which
  /// begins with a keyframe.
  case reopen(TimelineID)
}

/// A sink that can say what it did not get rid of.
package protocol ReportingSink: TimelineSink {
  /// Counts what the other end has not got as lost, and reports it: the process ends.
  func reportUnsent()
}

/// A sink that sometimes needs something of the pipeline.
///
/// The pipeline asks on the recorder's thread before it writes entries. What it writes without
/// having asked does no harm: the sink thins what has no base.
package protocol AskingSink: TimelineSink, Sendable {
  /// What it needs since it was asked last.
  func takeRequests() -> [SinkRequest]

  /// Waits until everything was taken over by the other end, or until the time is up.
  ///
  /// - Returns: Whether everything was.
  func flush(within time: Duration) -> Bool

  /// Ends by itself once the other end has everything, or after a time; nobody waits for it, and
  /// nothing is appended any more.
  func finish(within time: Duration)

  /// Has everything taken that was appended, for the process is about to end: by the operating
  /// system, and by the other end if there is time.
  func handOver(within time: Duration) -> Bool
}
