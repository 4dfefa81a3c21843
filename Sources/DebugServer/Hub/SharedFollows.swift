import Predicates
import Timelines
import Wire

/// The running queries for the newest entries of timelines.
///
/// Inspectors that follow a timeline with the same filter, and have the same entries, share a query:
/// a batch of entries is read and encoded once, and not once per inspector.
struct SharedFollows: Sendable {
  struct Question: Hashable, Sendable {
    let timeline: TimelineID
    /// The last seq that the inspectors have.
    let after: Int64
    let filter: Predicate?
  }

  /// A running query.
  struct Running: Sendable {
    let question: Question
    /// The inspectors that wait for the answer.
    var peers: Set<PeerID>
    /// Whether there are entries that the answer may lack, because they came after the question.
    var isStale = false
  }

  private var running: [Ticket: Running] = [:]
  private var tickets: [Question: Ticket] = [:]

  /// Adds a query with its first inspector.
  mutating func begin(_ question: Question, _ ticket: Ticket, for peer: PeerID) {
    running[ticket] = Running(question: question, peers: [peer])
    tickets[question] = ticket
  }

  /// Adds an inspector to a query that runs; `nil` if none does.
  mutating func join(
    _ question: Question, _ peer: PeerID
  ) -> (ticket: Ticket, isStale: Bool)? {
    guard let ticket = tickets[question], let query = running[ticket] else { return nil }
    running[ticket]?.peers.insert(peer)
    return (ticket, query.isStale)
  }

  /// A timeline has entries that the answers of running queries may lack.
  mutating func grew(_ timeline: TimelineID) {
    for (ticket, query) in running where query.question.timeline == timeline {
      running[ticket]?.isStale = true
    }
  }

  /// Removes a query that was answered.
  mutating func end(_ ticket: Ticket) -> Running? {
    guard let query = running.removeValue(forKey: ticket) else { return nil }
    if tickets[query.question] == ticket { tickets[query.question] = nil }
    return query
  }

  /// Removes an inspector; returns the queries that no other inspector waits for.
  mutating func leave(_ peer: PeerID) -> [Ticket] {
    var unwanted: [Ticket] = []
    for ticket in running.keys where running[ticket]?.peers.remove(peer) != nil {
      guard running[ticket]?.peers.isEmpty == true else { continue }
      _ = end(ticket)
      unwanted.append(ticket)
    }
    return unwanted
  }

  /// One of the inspectors that wait for an answer.
  func peer(of ticket: Ticket) -> PeerID? { running[ticket]?.peers.min() }
}
