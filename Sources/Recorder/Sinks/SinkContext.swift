package import Timelines

/// What sinks are made from.
package struct SinkContext: Sendable {
  /// The app, as headers say it; all timelines of this recorder share its run.
  package let app: Header.App
  /// The recorder's options.
  package let options: RecorderOptions
  /// The environment.
  package let environment: RecorderEnvironment
  /// Where to count.
  package let counters: RecorderCounters
  /// Who carries out what a daemon asks for.
  package let handler: any CommandHandler
}

/// A sink that adds to the recorder's statistics.
package protocol CountingSink: TimelineSink {
  /// Adds what it counted; from any thread.
  func add(to statistics: inout RecorderStatistics)
}
