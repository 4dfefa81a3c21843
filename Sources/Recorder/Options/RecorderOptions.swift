public import Replaying

/// How and where a recorder records.
///
/// ```swift
/// var options = RecorderOptions()
/// options.destinations = [.daemon(), .file("/tmp/commute")]
/// options.events = EventFilter(deny: ["mouseMoved"])
/// let recorder = StateRecorder(app: "Commute", options: options)
/// ```
///
/// Environment variables override the destinations, so recording can be switched without
/// rebuilding: `DEBUGD=off` turns it off; `DEBUGD=unix:/path`, `ws://host:port`, or
/// `wss://host:port` records to the daemon at that address (with the secret in the file that
/// `DEBUGD_SECRET_FILE` names), and several addresses that are separated by commas are tried in turn;
/// `DEBUGD=file:/path` records to files.
public struct RecorderOptions: Sendable {
  /// Where recordings go. Each destination receives everything. Default: a daemon on this machine.
  public var destinations: [RecordingDestination] = [.daemon()]

  /// The app's version, for timeline headers. Default: nil.
  public var appVersion: String?

  /// The commit from which the app was built, for timeline headers. Default: the variable
  /// `DEBUGD_COMMIT`, or else the commit of the CI job.
  public var appCommit: String?

  /// The bytes of entries to buffer for a daemon until it has stored them.
  ///
  /// The default holds about a minute of a busy app without a daemon. Default: 32 MiB.
  public var bufferBytes = 32 << 20

  /// Where to create a spill file for entries that do not fit into the buffer. Default: nil, for no
  /// file.
  ///
  /// The file is created in the folder of this path, without a name. An existing file at the path
  /// is not touched.
  public var spillPath: String?

  /// The maximum size of the spill file in bytes. Default: 256 MiB.
  public var spillBytes = 256 << 20

  /// When entries are sent to a daemon. Default: immediately while nothing is unacknowledged,
  /// otherwise after 8 ms, 256 KiB, or 1,000 entries.
  public var batches = BatchLimits()

  /// When an entry carries the full state. Default: when the changes since the last one are as
  /// long.
  public var snapshots = SnapshotPolicy.automatic

  /// What to redact in every machine, in addition to the rules that machines declare. Default:
  /// nothing.
  public var redaction: RedactionRules = []

  /// Which events to record, by name. Default: all.
  public var events = EventFilter.all

  /// Whether an inspector may hold, restore, and step live machines, and send them events. Default:
  /// false.
  public var allowsControl = false

  /// Where this app may run its reducers for the daemon, on fresh values, if no other host does.
  /// Default: in its own process or inside the live app.
  public var host = HostPolicy.anywhere

  /// The clock. Default: the system's monotonic clock.
  public var clock = RecorderClock.monotonic

  /// How much may wait for the recorder's thread. Default: 4,096 states, 64 MiB, and 65,536 events
  /// for each machine.
  public var capture = CaptureLimits()

  /// How long the process waits at exit for the recording to be delivered. Default: 250 ms.
  public var exitTimeout: Duration = .milliseconds(250)

  /// Receives a sentence when something is lost or fails. Default: writes a line to stderr.
  public var log: @Sendable (String) -> Void = { standardErrorLine("recorder: \($0)") }

  /// Creates the default options.
  public init() {}
}
