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

  /// A file that takes what does not fit into the buffer. Default: none.
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

/// Where a recording goes.
public enum RecordingDestination: Sendable {
  /// A daemon: without an address the one on this machine, which is found by itself.
  case daemon(DaemonDestination = DaemonDestination())
  /// A file that ends in `.timeline`, or a folder with a file for each machine.
  case file(String)
  /// Memory, for tests.
  case memory(MemorySink)
}

/// A daemon, and how it knows that this recorder may talk to it.
public struct DaemonDestination: Hashable, Sendable {
  /// `unix:/path`, `ws://host:port` or `wss://host:port`. Default: the socket of this user's daemon.
  public var address: String?

  /// The secret that both share; it never travels. Default: none, which a Unix socket does not need.
  public var secret: String?

  /// A file that holds the secret. Default: none.
  public var secretPath: String?

  /// A daemon at an address.
  public init(address: String? = nil, secret: String? = nil, secretPath: String? = nil) {
    self.address = address
    self.secret = secret
    self.secretPath = secretPath
  }
}

/// When entries are sent to a daemon: whichever comes first.
public struct BatchLimits: Hashable, Sendable {
  /// How long entries wait for others while something is under way. Default: 8 ms.
  public var delay: Duration = .milliseconds(8)
  /// The bytes at which a batch is sent. Default: 256 KiB.
  public var bytes = 256 << 10
  /// The entries at which a batch is sent. Default: 1,000.
  public var entries = 1_000

  /// The default limits.
  public init() {}
}

/// When an entry holds the full state.
public enum SnapshotPolicy: Hashable, Sendable {
  /// When the changes since the last full state are as long as it: then full states are at most half
  /// of a recording, and any state is found by reading at most that much.
  case automatic
  /// As `automatic`, and at least every so many entries.
  case atLeastEvery(Int)
}

/// Where this app may run its reducers for the daemon.
public enum HostPolicy: Hashable, Sendable {
  /// In its own executable, started anew, when `ReducerHost.runIfAsked` is in its `main`; else inside
  /// the live app, on a thread of its own.
  case anywhere
  /// Only in its own executable, started anew.
  case ownProcess
  /// Nowhere.
  case never
}
