package import Timelines

/// A request of a sink to the pipeline that feeds it.
package enum SinkRequest: Hashable, Sendable {
  /// The next captured entry of this timeline must be a keyframe, because its predecessor was
  /// thinned, lost, or exists only in thinned form.
  ///
  /// It also has its patch if the pipeline knows it (`forceKeyframe()` of the writer), because the
  /// daemon may have the predecessor.
  case keyframe(TimelineID)
  /// The daemon deleted the timeline. The pipeline closes it and opens another one, which begins
  /// with a keyframe.
  case reopen(TimelineID)
}

/// A sink that reports what it did not deliver.
package protocol ReportingSink: TimelineSink {
  /// Reports undelivered entries with a reason, and counts them as lost if `isOver`.
  ///
  /// A crashing process may survive, so its undelivered entries are not counted.
  func reportUnsent(_ why: String, isOver: Bool)
}

/// A sink that buffers: it may request keyframes, and can be flushed.
///
/// The pipeline fetches requests on the recorder's thread before it writes entries. Entries that
/// were written before a request was fetched do no harm: the sink thins those without a base.
package protocol BufferingSink: TimelineSink, Sendable {
  /// Returns and removes the requests to the pipeline.
  func drainRequests() -> [SinkRequest]

  /// Waits until everything was delivered, or until the time is up.
  ///
  /// - Returns: Whether everything was delivered.
  func flush(within time: Duration) -> Bool

  /// Lets the sink end by itself once everything is delivered, or after a time. Does not wait.
  /// Nothing is appended anymore.
  func finish(within time: Duration)

  /// Delivers everything because the process is about to end: to the operating system, and to the
  /// daemon if there is time.
  func handOver(within time: Duration) -> Bool
}
