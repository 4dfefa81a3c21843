/// What a recorder did so far, in entries unless it says otherwise.
///
/// ```swift
/// let recorder = StateRecorder(app: "Commute")
/// if recorder.statistics.lost > 0 { print(recorder.statistics) }
/// ```
public struct RecorderStatistics: Hashable, Sendable {
  /// The machines that were recorded.
  public var machines = 0
  /// Those that were written, with or without their state.
  public var recorded = 0
  /// Of these, those without their state: there was no room for it, or it could not be encoded.
  public var thinned = 0
  /// Those that were not written: there was no room for them, or nowhere to write them.
  public var lost = 0
  /// Those that wait to be written: what they become when the program ends first is `lost`.
  public var unwritten = 0
  /// Those that the event filter left out.
  public var denied = 0
  /// States and events whose `encode(to:)` failed.
  public var failures = 0
  /// The machines that have hidden more text than is remembered, so that more than the rules name is
  /// hidden.
  public var overredacted = 0
  /// The bytes of the lines that were written.
  public var bytes = 0
  /// Those that were sent to a daemon, again where the connection was lost.
  public var sent = 0
  /// Those that a daemon has stored.
  public var acknowledged = 0
  /// The last thing that went wrong, in words.
  public var lastError: String?

  /// Nothing yet.
  public init() {}
}
