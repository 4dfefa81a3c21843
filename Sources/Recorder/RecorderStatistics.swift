/// Counts of what a recorder has done so far, in entries unless stated otherwise.
///
/// ```swift
/// let recorder = StateRecorder(app: "Commute")
/// if recorder.statistics.lost > 0 { print(recorder.statistics) }
/// ```
public struct RecorderStatistics: Hashable, Sendable {
  /// The number of machines.
  public var machines = 0
  /// Entries that were written, with or without their state.
  public var recorded = 0
  /// Written entries without their state, because there was no room for it or it could not be
  /// encoded.
  public var thinned = 0
  /// Entries that were not written or not delivered, because there was no room or no destination.
  public var lost = 0
  /// Entries that are not written yet. If the program ends first, they are counted in `lost`.
  public var unwritten = 0
  /// Events that the event filter excluded.
  public var denied = 0
  /// States and events whose `encode(to:)` threw an error.
  public var failures = 0
  /// Machines with more redacted text than the recorder remembers. They hide more than the rules
  /// name.
  public var overredacted = 0
  /// Redaction rules that matched nothing, and that name a key no machine has.
  public var unmatchedRules = 0
  /// The bytes of the written lines.
  public var bytes = 0
  /// Entries sent to a daemon, including those sent again after a lost connection.
  public var sent = 0
  /// Entries that a daemon has stored.
  public var acknowledged = 0
  /// The last problem, as a sentence.
  public var lastError: String?

  /// Creates statistics with all counts at zero.
  public init() {}
}
