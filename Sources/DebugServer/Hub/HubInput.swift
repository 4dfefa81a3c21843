package import HostProcesses
package import TimelineStore
package import Timelines

/// A connection, by a number that is never used again.
package struct PeerID: Hashable, Comparable, Sendable {
  /// The number.
  package let number: UInt64

  /// The connection of that number.
  package init(_ number: UInt64) {
    self.number = number
  }

  package static func < (left: PeerID, right: PeerID) -> Bool { left.number < right.number }
}

/// Work that the hub gave away, by a number that is never used again.
package struct Ticket: Hashable, Sendable {
  /// The number.
  package let number: UInt64
}

/// What the hub is told.
package enum HubInput: Sendable {
  /// A connection was upgraded; `host` is the `Host` of its request in lower case.
  case connected(PeerID, PeerRole, Entrance, host: String)
  /// A text frame came.
  case text(PeerID, [UInt8])
  /// All that was sent to a connection has left.
  case drained(PeerID)
  /// A connection is gone.
  case disconnected(PeerID)
  /// The store did what a recorder wanted, or did not.
  case stored(Ticket, StoreAnswer)
  /// A part of an answer, or how far it has come.
  case progressed(Ticket, ToInspector)
  /// The answer to a question.
  case answered(Ticket, LookAnswer)
  /// What became of a branch that is being computed.
  case branch(BranchNews)
  /// Timelines were deleted or lost their beginning, not by a request: what is kept is limited.
  case limited(Pruned)
  /// The store takes nothing more, and why; `nil` when it does again.
  case storeProblem(String?)
  /// A recorder is to run something; answered by `reduced`, once or in parts.
  case reduce(Int64, PeerID, ToRecorder.Reduce)
  /// Nobody waits for that any more.
  case cancelReduce(Int64)
  /// The executables that run reducers are others than before.
  case hosts([ToInspector.HostSummary])
  /// Recorders that connect from now on have to know another secret.
  case secret(RecorderSecret)
  /// Time has passed, and so many bytes have left for each connection since it began.
  case tick(sent: [PeerID: Int])
}

/// What the hub wants done.
package enum HubAction: Sendable {
  /// Sends a frame.
  case send(PeerID, Frame)
  /// Closes a connection, after what was sent before.
  case close(PeerID, CloseCode, String)
  /// Takes messages of that many bytes of a connection from now on: it is known who it is.
  case take(PeerID, upTo: Int)
  /// Takes frames of a connection, or leaves them in its socket.
  case read(PeerID, Bool)
  /// Asks the store for what a recorder wants; answered by `stored`.
  case store(Ticket, StoreWork)
  /// Asks a question; answered by `answered`.
  case look(Ticket, Question)
  /// Wants something of whoever computes branches.
  case branch(BranchWork)
  /// Ends the work on a question, whose answer nobody waits for any more.
  case cancel(Ticket)
  /// What a recorder answers to what it is to run.
  case reduced(Int64, HostAnswer)
  /// Wants a `tick` after some milliseconds.
  case wake(Int64)
  /// Writes the sessions down.
  case save(SessionTable)
  /// Tells the log.
  case log(LogEvent)
}

/// What is sent.
package enum Frame: Hashable, Sendable {
  /// A text frame.
  case text([UInt8])
  /// A binary frame.
  case binary([UInt8])

  /// The bytes.
  package var bytes: [UInt8] {
    switch self {
    case .text(let bytes), .binary(let bytes): bytes
    }
  }
}

/// What recorders want of the store.
package enum StoreWork: Sendable {
  /// How far these timelines are durable.
  case durable([TimelineID])
  /// Begin or go on with a timeline.
  case begin(Header)
  /// Add entries to a timeline.
  case append(AppendBatch)
  /// End a timeline.
  case finish(TimelineID, Gap?)
}

/// What the store answers to it.
package enum StoreAnswer: Sendable {
  /// How far timelines are durable.
  case durable(DurableSeqs)
  /// The timeline is begun; after its last entry it goes on so.
  case begun(EntrySequence)
  /// The entries are durable up to that seq.
  case appended(Int64)
  /// The entries are durable up to that seq; what follows was refused, because its patch does not
  /// apply.
  case cut(Int64, TimelineError)
  /// The timeline is ended.
  case finished
  /// It was not done.
  case failed(StoreProblem)
}

/// Why the store did not do what a recorder wanted.
///
/// A full disk is none: what is handed to the store then waits.
package enum StoreProblem: Error, Hashable, Sendable {
  /// The timeline was deleted.
  case gone
  /// Another or a later try makes no difference.
  case refused(ErrorCode, String)
}

/// What is asked of the store for inspectors.
package enum Question: Sendable {
  /// What an inspector asked.
  case request(FromInspector)
  /// The newest entries of a timeline after one that was told.
  case follow(TimelineID, after: Int64, filter: Predicate?)
  /// What the list shows of some timelines.
  case summaries([TimelineID])
  /// Gives up a file whose parts will not come any more.
  case abandon(upload: String)
  /// The state at a moment, to restore it in a live app.
  case state(EntryReference)
}

/// What is answered to it.
package enum LookAnswer: Sendable {
  /// A message.
  case message(ToInspector)
  /// The frame of an overview, without the request that it answers.
  case overview(OverviewFrame)
  /// Some summaries; a timeline that is gone has none.
  case summaries([ToInspector.TimelineSummary])
  /// What was let go.
  case pruned(ToInspector.Prune)
  /// The timelines that were deleted.
  case deleted([TimelineID])
  /// It was not done.
  case refused(Refusal)
}

/// Why a request is not answered with what it asked for.
package struct Refusal: Error, Sendable {
  /// The message that says so.
  package var reply: ErrorReply

  /// A refusal with a word for programs and a sentence for people.
  package init(
    _ code: ErrorCode, _ message: String, path: String? = nil, timeline: TimelineID? = nil
  ) {
    reply = ErrorReply {
      $0.code = code
      $0.message = message
      $0.path = path
      $0.timeline = timeline
    }
  }

  /// What a message error says.
  package init(_ error: MessageError) {
    reply = error.reply
  }

  /// There is no such timeline.
  package static func noTimeline(_ timeline: TimelineID) -> Refusal {
    Refusal(.notFound, "There is no timeline \(timeline).", path: "timeline", timeline: timeline)
  }
}

extension StoreAnswer {
  /// What became of a batch.
  init(_ appended: Appended) {
    let durable = appended.durable ?? -1
    self = appended.refused.map { .cut(durable, $0) } ?? .appended(durable)
  }
}
