/// The loop's record of a connection.
final class Connection {
  enum Stage {
    /// A server connection without a request.
    case idle
    /// The body of a request is being received.
    case readingBody(Request, [UInt8])
    /// The handler is working on the request.
    case answering(Exchange.Number)
    case responding(ResponseWriting)
    /// The handler has accepted a session.
    case upgrading(UpgradeAcceptance, Request)
    /// A client connection that is not established yet.
    case connecting(ConnectAttempt, LiveSession)
    /// A session is open.
    case live(LiveSession)
    /// The session has ended, and its handler knows.
    case over
  }

  /// The connection's number, unique in its loop.
  let id: UInt64
  /// The peer, if this is a server connection.
  let peer: Peer
  /// The listener that accepted it; `nil` for a client connection.
  let listener: ListenerRecord?
  /// The library's connection, until it is freed.
  var handle: ConnectionHandle?
  var stage: Stage
  /// When its response was last written to, or requested.
  var progress: Int64 = 0
  /// Whether it no longer counts toward the limits of its listener.
  var isDiscounted = false

  init(id: UInt64, peer: Peer, listener: ListenerRecord?, handle: ConnectionHandle?, stage: Stage) {
    self.id = id
    self.peer = peer
    self.listener = listener
    self.handle = handle
    self.stage = stage
  }

  /// Its session, if it is open or being opened.
  var session: Session? { live?.session }

  /// The session with the loop's data about it.
  var live: LiveSession? {
    switch stage {
    case .live(let live), .connecting(_, let live): live
    case .idle, .readingBody, .answering, .responding, .upgrading, .over: nil
    }
  }

  /// Whether its request is incomplete.
  var isPending: Bool {
    switch stage {
    case .idle, .readingBody: true
    case .answering, .responding, .upgrading, .connecting, .live, .over: false
    }
  }

  /// Whether its request is complete, and its response is not.
  var isAnswered: Bool {
    switch stage {
    case .answering, .responding: true
    case .idle, .readingBody, .upgrading, .connecting, .live, .over: false
    }
  }

  /// Whether a stop does not have to wait for it.
  var isIdle: Bool {
    switch stage {
    case .idle, .readingBody, .over: true
    case .answering, .responding, .upgrading, .connecting, .live: false
    }
  }
}

/// The loop's data about a session.
final class LiveSession {
  let session: Session
  let handler: any SessionHandler
  var assembly: MessageAssembly
  /// The bytes of its unfinished message that count toward the loop's limit, and since when.
  var unfinished: (bytes: Int, since: Int64) = (0, 0)
  /// The bytes of the current frame that have not arrived.
  var frameRest = 0
  /// Decides when to ping the peer; `nil` before the session begins, or if it is never pinged.
  var idle: IdleWatch?
  /// The timer of the next check.
  var idleTimer: TimerID?
  /// The payload of a ping to send in the next turn.
  var ping: [UInt8]?
  var isReading = true
  /// The close frame that this side sent, and when.
  var ownClose: (code: SessionCloseCode, reason: String, time: Int64)?
  /// How the session ends, if already known.
  var end: SessionEnd?
  /// Whether the peer did not confirm the close in time.
  var wasCut = false
  var timers: [TimerID] = []

  init(_ session: Session, _ handler: any SessionHandler) {
    self.session = session
    self.handler = handler
    assembly = MessageAssembly(limit: session.options.maxMessageBytes)
  }
}
