package import Timelines

/// What the daemon holds its peers to, beyond what the protocol itself says.
///
/// Whoever exceeds one is closed with a sentence, and nobody else is.
package struct ServerLimits: Hashable, Sendable {
  /// What the protocol says of messages, credit and time.
  package var wire = ProtocolLimits()

  /// The connections at one moment of peers that have proved who they are, and of all on the Unix
  /// socket, whose user is checked.
  ///
  /// Ten times what a desk with devices has; each costs some ten KiB. Default: 512.
  package var connections = 512

  /// How many of those are kept for the Unix socket. Default: 64.
  package var reservedForSocket = 64

  /// The connections to the port that have not proved who they are yet; the oldest is closed for a new
  /// one. A proof takes two round trips. Default: 32.
  package var strangers = 32

  /// The timelines that one recorder may have open. Default: 1,000.
  package var timelinesOfRecorder = 1_000

  /// The bytes of a timeline's header: it is listed with every other one.
  ///
  /// A large schema of states and events has some ten KiB. Default: 1 MiB.
  package var headerBytes = 1 << 20

  /// The bytes of the headers of all timelines that one recorder has open. Default: 16 MiB.
  package var headersOfRecorder = 16 << 20

  /// The requests of one inspector that may be under way: a page has a handful. Default: 64.
  package var requestsInFlight = 64

  /// The questions of one inspector that are worked on at once; the others wait as they came.
  ///
  /// Their answers may be as large as states. Default: 4.
  package var questionsAtOnce = 4

  /// The timelines that one inspector may watch. Default: 64.
  package var watches = 64

  /// The bytes of answers waiting for one inspector above which its requests are not read.
  ///
  /// One window of long entries fits. Default: 4 MiB.
  package var queuedBytes = 4 << 20

  /// The bytes of entries waiting for the disk, of all recorders, above which none is read.
  ///
  /// Far less than the credit of 200 recorders together. Default: 128 MiB.
  package var waitingBytes = 128 << 20

  /// The milliseconds without a frame after which a connection gets a ping. Default: 20,000.
  package var pingMilliseconds: Int64 = 20_000

  /// The milliseconds after a ping without a sign of life after which a connection with no request in
  /// progress is closed. Default: 20,000.
  package var pongMilliseconds: Int64 = 20_000

  /// The milliseconds after which an inspector that takes nothing is closed. Default: 60,000.
  package var stuckMilliseconds: Int64 = 60_000

  /// The milliseconds in which a live app must answer a command. Default: 15,000.
  package var commandMilliseconds: Int64 = 15_000

  /// The milliseconds that a recorder may take to run reducers, besides those in which it must answer
  /// a command: those that a host of its own takes unless it is set up otherwise. Default: 10,000.
  package var reduceMilliseconds: Int64 = 10_000

  /// The requests to run reducers that may wait for one recorder. Default: 64.
  package var reduces = 64

  /// The milliseconds between two updates to one inspector: one a frame of a screen. Default: 16.
  package var newsMilliseconds: Int64 = 16

  /// The newest entries that one update tells: more than a page shows. Default: 64.
  package var newsEntries = 64

  /// The answers to commands that are kept for a repeated id. Default: 256.
  package var keptAnswers = 256

  /// The bytes of a file that is imported. Default: 4 GiB.
  package var importBytes: Int64 = 4 << 30

  /// The default limits.
  package init() {}
}
