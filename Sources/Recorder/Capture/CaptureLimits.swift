/// How much of a machine's steps may wait for the recorder's thread.
///
/// The bounds hold for each machine by itself.
public struct CaptureLimits: Hashable, Sendable {
  /// How many steps may wait with their states. Beyond it they wait without: they are *thinned*, and
  /// a host can compute their states later.
  ///
  /// Far more than come in the two milliseconds between two looks of the recorder's thread, unless an
  /// app sends more than it can encode anyway. A state that replaced another by no event always
  /// waits: beyond twice as many, or twice the ``bytes``, steps in the middle are lost, and a gap says
  /// how many. Default: 4,096.
  public var states = 4_096

  /// The bytes that waiting states and events may take, reckoned from the last encoded ones.
  ///
  /// Beyond it steps wait without their states, and then fewer of them do. Default: 64 MiB.
  public var bytes = 64 << 20

  /// How many steps may wait at all. Beyond it those in the middle are lost, and a gap says how many:
  /// the oldest are kept, and at least the latest 512.
  ///
  /// Default: 65,536.
  public var events = 65_536

  /// The share of time that copies of states may take which would not be made without the recorder:
  /// those of a reducer that changes its state in place.
  ///
  /// Such a reducer copies what it changes once for each captured state, because the recorder still
  /// holds the one before. Beyond this share steps are thinned. Default: 0.01.
  public var copyShare = 0.01

  /// The bytes that a line of the recording may have. The state of a step whose line would be longer
  /// is left out, and the entry says how long it was.
  ///
  /// What a daemon takes by default, less a little for the message around it. Default: 15 MiB.
  public var lineBytes = 15 << 20

  /// The default limits.
  public init() {}

  /// The limits as capture uses them: at least one of everything.
  var normalized: CaptureLimits {
    var limits = self
    // What may be reckoned with: whoever means no limit says the largest number there is.
    limits.states = max(1, min(states, 1 << 24))
    limits.bytes = max(1 << 10, min(bytes, 1 << 48))
    limits.events = max(2, min(events, 1 << 24))
    limits.copyShare = copyShare.isFinite ? max(0, copyShare) : 0
    limits.lineBytes = max(1 << 10, lineBytes)
    return limits
  }
}
