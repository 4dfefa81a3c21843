package import Timelines

/// What a daemon needs from outside besides the network: a clock, and names.
package struct DaemonEnvironment: Sendable {
  package var clock: any Clock<Duration> = ContinuousClock()

  /// Names for new timelines.
  package var timelineID: @Sendable () -> TimelineID = { .random() }

  package var uploadName: @Sendable () -> String = { Token.random(bytes: 16) }

  /// The system's clock and generators.
  package init() {}
}
