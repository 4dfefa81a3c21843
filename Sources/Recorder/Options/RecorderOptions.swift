public import Replaying

/// How a recorder records, and where to.
///
/// ```swift
/// var options = RecorderOptions()
/// options.destinations = [.daemon(), .file("/tmp/commute")]
/// options.events = EventFilter(deny: ["mouseMoved"])
/// let recorder = StateRecorder(app: "Commute", options: options)
/// ```
///
/// The environment overrides it, so that recording is switched on and off without building anew:
/// `DEBUGD=off` turns it off; `DEBUGD=unix:/path`, `ws://host:port` or `wss://host:port` says where
/// the daemon is (the shared secret is in the file that `DEBUGD_SECRET_FILE` names);
/// `DEBUGD=file:/path` records to files.
public struct RecorderOptions: Sendable {
  /// Where recordings go; all of them get everything. Default: a daemon on this machine.
  public var destinations: [RecordingDestination] = [.daemon()]

  /// The version of the app, for the timelines' headers. Default: none.
  public var appVersion: String?

  /// The bytes of lines that are kept for a daemon until it has stored them.
  ///
  /// A minute of a busy app without a daemon. Default: 32 MiB.
  public var bufferBytes = 32 << 20

  /// Where a file may be made that takes what does not fit into the buffer. Default: none.
  ///
  /// The file is made in the folder of that path, without a name: what stands at the path itself is
  /// left alone.
  public var spillPath: String?

  /// The bytes that the spill file may have. Default: 256 MiB.
  public var spillBytes = 256 << 20

  /// When entries are sent to a daemon. Default: after 8 ms, 256 KiB or 1,000 entries, and at once
  /// when nothing is under way.
  public var batches = BatchLimits()

  /// When an entry holds the full state. Default: when the changes since the last one are as long.
  public var snapshots = SnapshotPolicy.automatic

  /// What of every machine must not be seen, besides what the machines say themselves.
  /// Default: nothing.
  public var redaction: RedactionRules = []

  /// Which events are recorded, by name. Default: all.
  public var events = EventFilter.all

  /// Whether an inspector may hold, restore and step live machines, and send them events.
  /// Default: false.
  public var allowsControl = false

  /// Whether this app may run its reducers for the daemon, on fresh values, when nothing else does.
  /// Default: in a process of its own or inside the live app.
  public var host = HostPolicy.anywhere

  /// What tells the time. Default: the system's monotonic clock.
  public var clock = RecorderClock.monotonic

  /// How much may wait for the recorder's thread.
  /// Default: 4,096 states, 64 MiB, 65,536 events a machine.
  public var capture = CaptureLimits()

  /// How long the end of the process waits for what was recorded to be handed over.
  /// Default: 250 ms.
  public var exitPatience: Duration = .milliseconds(250)

  /// Takes a sentence when something is lost or cannot be done. Default: a line to stderr.
  public var log: @Sendable (String) -> Void = { standardErrorLine("recorder: \($0)") }

  /// The default options.
  public init() {}
}
