import Timelines
package import Wire

/// The daemon's limits for its peers, beyond those of the protocol.
///
/// A peer that exceeds one is closed with a message; others are not affected.
package struct ServerLimits: Hashable, Sendable {
  /// The protocol's limits of messages, credit, and time.
  package var wire = ProtocolLimits()

  /// The maximum number of authenticated connections, including all on the Unix socket, whose user
  /// is checked.
  ///
  /// A thousand processes of a server, each with a recorder, and as many again; each costs about
  /// 10 KiB. Default: 2,048.
  package var connections = 2_048

  /// How many of those are reserved for the Unix socket. Default: 64.
  package var reservedForSocket = 64

  /// The maximum number of unauthenticated connections to the port; the oldest is closed with 4006
  /// for a new one. A proof takes two round trips. Default: 32.
  package var strangers = 32

  /// The maximum number of timelines that one recorder may have open. Default: 1,000.
  package var timelinesOfRecorder = ProtocolLimits().timelines

  /// The maximum number of timelines that one recorder may park; the machines of others look as if
  /// they had ended.
  ///
  /// Each costs about 100 bytes. Default: 10,000.
  package var parkedOfRecorder = 10_000

  /// The maximum bytes of a timeline's header.
  ///
  /// It is listed with every other one; a large schema of states and events has about 10 KiB.
  /// Default: 1 MiB.
  package var headerBytes = 1 << 20

  /// The maximum bytes of the headers of all timelines that one recorder has open. Default: 16 MiB.
  package var headersOfRecorder = ProtocolLimits().headersOfRecorder

  /// The maximum number of open requests of one inspector. A page has a handful. Default: 64.
  package var requestsInFlight = 64

  /// The maximum number of running queries of one inspector; others wait in order.
  ///
  /// Their results may be as large as states. Default: 4.
  package var maximumRunningQueries = 4

  /// The maximum number of timelines that one inspector may watch. Default: 64.
  package var watches = 64

  /// The maximum bytes of answers waiting for one inspector; beyond it, its requests are not read.
  ///
  /// One window of long entries fits. Default: 4 MiB.
  package var queuedBytes = 4 << 20

  /// The maximum bytes of answers waiting for all inspectors; beyond it, the one that has read
  /// nothing for the longest time is closed, and only inspectors that have read everything get
  /// further answers.
  ///
  /// Far less than the machine's memory, and 64 windows of long entries fit. Default: 256 MiB.
  package var queuedBytesOfInspectors = 256 << 20

  /// The maximum number of connections of one session. A browser has one for each tab. Default: 16.
  package var connectionsOfSession = 16

  /// The maximum number of unfinished uploads of one session. Default: 4.
  package var uploadsOfSession = 4

  /// The maximum number of unfinished uploads over the Unix socket, of all connections together.
  /// Half of all places, so that pages have room. Default: 8.
  package var uploadsOfSocket = 8

  /// The maximum number of chunks of copies that a connection has sent only in part; beyond it, the
  /// oldest is dropped. A copier sends one at a time. Default: 4.
  package var unfinishedChunks = 4

  /// The milliseconds without a byte after which an upload is given up. Default: 60,000.
  package var uploadMilliseconds: Int64 = 60_000

  /// The maximum bytes of messages that a recorder may leave unread; beyond it, it is disconnected.
  ///
  /// Two of the longest requests to a host fit. Default: 32 MiB.
  package var unreadBytes = 32 << 20

  /// The maximum bytes of entries waiting for the disk, of all recorders; beyond it, none is read.
  ///
  /// Far less than the credit of 200 recorders together. Default: 128 MiB.
  package var waitingBytes = 128 << 20

  /// The milliseconds without a frame after which a connection gets a ping. Default: 20,000.
  package var pingMilliseconds: Int64 = 20_000

  /// The milliseconds after a ping without a sign of life after which a connection with no request in
  /// progress is closed. Default: 20,000.
  package var pongMilliseconds: Int64 = 20_000

  /// The milliseconds after which an inspector that reads nothing is closed. Default: 60,000.
  package var stuckMilliseconds: Int64 = 60_000

  /// The milliseconds in which a live app must answer a command. Default: 15,000.
  package var commandMilliseconds: Int64 = 15_000

  /// The milliseconds that a recorder may take to run reducers, in addition to those for answering
  /// a command; the default of a host process. Default: 10,000.
  package var reduceMilliseconds: Int64 = 10_000

  /// The maximum number of reduce requests waiting for one recorder. Default: 64.
  package var reduces = 64

  /// The milliseconds of a period in which an inspector gets at most one update: a frame of a screen.
  /// The periods of all inspectors begin together. Default: 16.
  package var newsMilliseconds: Int64 = 16

  /// The maximum number of entries in one update: more than a page shows. Default: 64.
  package var newsEntries = 64

  /// The number of answers to commands that are kept for repeated ids. Default: 256.
  package var keptAnswers = 256

  /// The maximum bytes of an imported file. Default: 4 GiB.
  package var importBytes: Int64 = 4 << 30

  /// The maximum bytes of a line of an imported file, as for any JSON text. Default: 256 MiB.
  package var importLineBytes = 256 << 20

  /// The same for a file whose upload begins while others are running.
  ///
  /// Reading a line takes several times its length in memory. Default: 64 MiB.
  package var sharedImportLineBytes = 64 << 20

  package init() {}
}
