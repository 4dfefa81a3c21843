package import Timelines

/// Everything that is needed to make sinks.
package struct SinkContext: Sendable {
  /// The app in timeline headers. All timelines of this recorder share its run.
  package let app: Header.App
  package let options: RecorderOptions
  package let environment: RecorderEnvironment
  package let counters: RecorderCounters
  /// Executes the commands of a daemon.
  package let handler: any CommandHandler
}

/// A sink that adds to the recorder's statistics.
package protocol CountingSink: TimelineSink {
  /// Adds the sink's counts. Called from any thread.
  func add(to statistics: inout RecorderStatistics)
}
