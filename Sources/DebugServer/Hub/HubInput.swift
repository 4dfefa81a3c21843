package import HostProcesses
package import Predicates
package import Reruns
package import TimelineStore
package import Timelines
package import Wire

/// Work that the hub requested, by a unique number.
package struct Ticket: Hashable, Sendable {
  package let number: UInt64
}

package enum HubInput: Sendable {
  /// A connection was upgraded; `host` is the `Host` of its request in lower case.
  case connected(PeerID, PeerRole, Entrance, host: String)
  case text(PeerID, [UInt8])
  /// Everything that was sent to a connection has left.
  case drained(PeerID)
  case disconnected(PeerID)
  /// The result of store work for a recorder.
  case stored(Ticket, StoreAnswer)
  /// A part of an answer, or progress.
  case progressed(Ticket, ToInspector)
  case answered(Ticket, QueryResult)
  /// A report about a branch that is being computed.
  case branch(BranchNews)
  /// Retention deleted or shortened timelines.
  case limited(Pruned)
  /// An entry of a timeline breaks an invariant, and was marked.
  case broken(TimelineID, NoticeMessage)
  /// The store accepts no more entries, and why; `nil` when it resumes.
  case storeProblem(String?)
  /// Run a reducer on a recorder; answered by `reduced`, once or in parts.
  case reduce(Int64, PeerID, ToRecorder.Reduce)
  case cancelReduce(Int64)
  /// The executables that run reducers have changed.
  case hosts([ToInspector.HostSummary])
  /// The secret for new recorder connections has changed.
  case secret(RecorderSecret)
  /// Time has passed; with the total bytes that have left for each connection, and the time for which
  /// a `wake` requested it.
  case tick(sent: [PeerID: Int], requestedFor: Int64? = nil)
}

package enum HubAction: Sendable {
  case send(PeerID, Frame)
  /// Close a connection after everything queued was sent.
  case close(PeerID, CloseCode, String)
  /// Accept messages of that size from an authenticated connection.
  case limitMessages(PeerID, upTo: Int)
  /// Read frames of a connection, or leave them in its socket.
  case read(PeerID, Bool)
  /// Perform store work for a recorder; answered by `stored`.
  case store(Ticket, StoreWork)
  /// Run a query; answered by `answered`.
  case query(Ticket, StoreQuery)
  /// Perform work of the branch service.
  case branch(BranchWork)
  /// Cancel a query.
  case cancel(Ticket)
  /// A recorder's answer to a request to run a reducer.
  case reduced(Int64, HostAnswer)
  /// Request a `tick` after some milliseconds, which is at a time. It cannot be withdrawn: the hub
  /// ignores one that an earlier tick has replaced.
  case wake(Int64, at: Int64)
  case save(SessionTable)
  case log(LogEvent)
  /// Write to the audit file.
  case audit(AuditEntry)
}

package enum Frame: Hashable, Sendable {
  case text([UInt8])
  case binary([UInt8])

  package var bytes: [UInt8] {
    switch self {
    case .text(let bytes), .binary(let bytes): bytes
    }
  }
}

/// Work of the store for recorders.
package enum StoreWork: Sendable {
  /// Find how far these timelines are durable.
  case durable([TimelineID])
  /// Begin or continue a timeline.
  case begin(Header)
  case append(AppendBatch)
  case finish(TimelineID, Gap?)
}

package enum StoreAnswer: Sendable {
  case durable(DurableSeqs)
  /// The timeline is begun, and continues after its last entry.
  case begun(EntrySequence)
  /// The entries are durable up to that seq.
  case appended(Int64)
  /// The entries are durable up to that seq; the rest was refused, because its patch does not
  /// apply.
  case cut(Int64, TimelineError)
  case finished
  case failed(StoreProblem)
}

/// Why store work for a recorder failed.
///
/// A full disk is not one of the reasons: the store then queues the work.
package enum StoreProblem: Error, Hashable, Sendable {
  /// The timeline was deleted.
  case gone
  /// Permanent: trying again makes no difference.
  case refused(ErrorCode, String)
}

/// A query of an inspector to the store.
package enum StoreQuery: Sendable {
  case request(FromInspector)
  /// The newest entries of a timeline after the last reported one.
  case follow(TimelineID, after: Int64, filter: Predicate?)
  case summaries([TimelineID])
  /// Give up an unfinished upload.
  case abandon(upload: String)
  /// Drop the parts of a chunk of a timeline whose other parts will not arrive.
  case drop(TimelineID)
  /// The state at a moment, to restore it in a live app.
  case state(EntryReference)
}

package enum QueryResult: Sendable {
  case message(ToInspector)
  /// The frame of a message that the hub passes on without looking into it.
  case encoded([UInt8])
  /// The frame of an overview, without the id of its request.
  case overview(OverviewFrame)
  /// Summaries; a deleted timeline has none.
  case summaries([ToInspector.TimelineSummary])
  /// What retention dropped.
  case pruned(ToInspector.Prune)
  case deleted([TimelineID])
  case refused(Refusal)
}

extension StoreAnswer {
  init(_ appended: Appended) {
    let durable = appended.durable ?? -1
    self = appended.refused.map { .cut(durable, $0) } ?? .appended(durable)
  }
}
