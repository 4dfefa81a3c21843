/// One connection, from its first byte to its last, as the loop keeps it.
final class Connection {
  /// How far it has come.
  enum Stage {
    /// A server's connection between requests.
    case idle
    /// The body of a request is coming.
    case readingBody(Request, [UInt8])
    /// The handler has the request.
    case answering(Exchange.Number)
    /// The answer is on its way.
    case responding(ResponseWriting)
    /// The handler has agreed to a session.
    case upgrading(UpgradeAcceptance, Request)
    /// A client's connection that is being made.
    case connecting(ConnectAttempt, LiveSession)
    /// A session.
    case live(LiveSession)
    /// The session was told that it has ended.
    case over
  }

  /// Never used twice in a loop.
  let id: UInt64
  /// Who is at the other end; known for servers.
  let peer: Peer
  /// The listener that it came to; `nil` for a client's.
  let listener: ListenerRecord?
  /// The library's handle, until it is freed.
  var wire: Wire?
  var stage: Stage
  /// When its answer was last written to, or asked for.
  var progress: Int64 = 0
  /// Whether it no longer counts for the limits of its listener.
  var isDiscounted = false

  init(id: UInt64, peer: Peer, listener: ListenerRecord?, wire: Wire?, stage: Stage) {
    self.id = id
    self.peer = peer
    self.listener = listener
    self.wire = wire
    self.stage = stage
  }

  /// Its session, once it is one or wants to become one.
  var session: Session? { live?.session }

  /// The same with what the loop knows about it.
  var live: LiveSession? {
    switch stage {
    case .live(let live), .connecting(_, let live): live
    default: nil
    }
  }

  /// Whether its request has not arrived as a whole.
  var isPending: Bool {
    switch stage {
    case .idle, .readingBody: true
    default: false
    }
  }

  /// Whether its request has arrived, and the answer has not left as a whole.
  var isAnswered: Bool {
    switch stage {
    case .answering, .responding: true
    default: false
    }
  }

  /// Whether nothing is under way that a stop should wait for.
  var isIdle: Bool {
    switch stage {
    case .idle, .readingBody, .over: true
    default: false
    }
  }
}

/// What the loop knows about a session beside its handle.
final class LiveSession {
  let session: Session
  let handler: any SessionHandler
  var assembly: MessageAssembly
  /// Bytes of the frame under way that have not come.
  var frameRest = 0
  /// When the peer is asked whether it is alive; `nil` before the session begins, or for never.
  var idle: IdleWatch?
  /// The next look at that.
  var idleAlarm: AlarmID?
  /// The payload of a ping that is to be sent in the next turn.
  var ping: [UInt8]?
  var isReading = true
  /// The close frame that this end sent, and when.
  var ownClose: (code: SessionCloseCode, reason: String, time: Int64)?
  /// How it ended, as far as is known before it is over.
  var end: SessionEnd?
  /// Whether the other end did not agree to the close in time.
  var wasCut = false
  var alarms: [AlarmID] = []

  init(_ session: Session, _ handler: any SessionHandler) {
    self.session = session
    self.handler = handler
    assembly = MessageAssembly(limit: session.options.maxMessageBytes)
  }
}
