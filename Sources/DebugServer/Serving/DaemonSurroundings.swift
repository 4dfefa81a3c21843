package import Timelines

/// What a daemon takes from outside besides the network: time, and names for what it makes.
package struct DaemonSurroundings: Sendable {
  /// How it waits, and how long something took.
  package var clock: any Clock<Duration> = ContinuousClock()

  /// Names for new timelines.
  package var timelineID: @Sendable () -> TimelineID = { .random() }

  /// Names for the files that are being received.
  package var uploadName: @Sendable () -> String = { Token.random(bytes: 16) }

  /// The system's.
  package init() {}
}
