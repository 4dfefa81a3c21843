/// How many steps of a machine may wait for the recorder's thread.
///
/// The limits apply to each machine separately.
public struct CaptureLimits: Hashable, Sendable {
  /// The number of steps that may wait with their states. Beyond it, steps wait without them: they
  /// are *thinned*, and a host can compute their states later.
  ///
  /// The recorder's thread polls every two milliseconds, in which far fewer arrive unless an app
  /// sends more than it can encode anyway. A state that was replaced without an event is never left
  /// out: beyond twice this many, or twice the ``bytes``, steps in the middle are dropped, and a
  /// gap says how many. Default: 4,096.
  public var states = 4_096

  /// The bytes that waiting states and events may take, estimated from the last encoded ones.
  ///
  /// Beyond it, steps wait without their states, and then fewer steps wait. Default: 64 MiB.
  public var bytes = 64 << 20

  /// The number of steps that may wait at all. Beyond it, steps in the middle are dropped, and a
  /// gap says how many: the oldest and at least the latest 512 are kept.
  ///
  /// Default: 65,536.
  public var events = 65_536

  /// The share of time that recording may spend on copies of states that a reducer changes in
  /// place.
  ///
  /// Such a reducer copies what it changes once for each recorded state, because the recorder still
  /// holds the previous one. Beyond this share, steps are thinned. Default: 0.01.
  public var copyShare = 0.01

  /// The maximum length of a line of the recording in bytes. If a line would be longer, it is
  /// written without the state, and the entry says how long the state was.
  ///
  /// The default is what a daemon accepts by default, minus room for the message around it.
  /// Default: 15 MiB.
  public var lineBytes = 15 << 20

  /// Creates the default limits.
  public init() {}

  /// The limits with invalid values replaced: at least one of everything.
  var normalized: CaptureLimits {
    var limits = self
    // Callers that want no limit pass the largest number; these bounds prevent overflow.
    limits.states = max(1, min(states, 1 << 24))
    limits.bytes = max(1 << 10, min(bytes, 1 << 48))
    limits.events = max(2, min(events, 1 << 24))
    limits.copyShare = copyShare.isFinite ? max(0, copyShare) : 0
    limits.lineBytes = max(1 << 10, lineBytes)
    return limits
  }
}
