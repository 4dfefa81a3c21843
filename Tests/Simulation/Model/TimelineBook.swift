import JSONCore
import Timelines

/// A timeline as seen from outside: its machine, the sent entries, the acknowledgments.
///
/// Safe: the simulation has one thread.
final class TimelineBook: @unchecked Sendable {
  /// The fate of an entry on the wire.
  enum Sent: Hashable {
    case never
    /// Each time with its state.
    case whole
    /// Once at least without.
    case thinned
    /// A gap replaces it.
    case lost
  }

  let id: TimelineID
  let owner: String
  /// The state after each entry, and the event that led to it.
  private(set) var states: [ModelState] = []
  private(set) var events: [ModelEvent?] = []
  private(set) var sent: [Sent] = []
  /// The last seq that the daemon has acknowledged as durable.
  private(set) var acknowledged: Int64 = -1
  /// Whether its deletion was requested, or retention may have deleted it.
  var mayBeGone = false
  /// Whether its beginning may have been cut off.
  var mayBeShortened = false
  /// Whether its process ended without a word.
  var isAbandoned = false
  /// Whether its recorder closed it.
  var isClosed = false
  /// The loss that `close` named.
  var lostAtEnd: Int64 = 0

  init(_ id: TimelineID, owner: String) {
    self.id = id
    self.owner = owner
  }

  /// The last entry that the machine made.
  var last: Int64 { Int64(states.count) - 1 }

  func add(_ event: ModelEvent?, _ state: ModelState) {
    events.append(event)
    states.append(state)
    sent.append(.never)
  }

  /// An entry was sent. Returns what is wrong with it.
  func send(_ seq: Int64, isThinned: Bool, lostBefore: Int64) -> String? {
    guard seq >= 0, seq <= last else { return "entry \(seq) was sent, and the last one is \(last)" }
    if isThinned {
      sent[Int(seq)] = .thinned
    } else if sent[Int(seq)] == .never {
      sent[Int(seq)] = .whole
    }
    guard lostBefore > 0 else { return nil }
    guard lostBefore <= seq else {
      return "entry \(seq) says that \(lostBefore) before it are lost"
    }
    for lost in seq - lostBefore..<seq {
      let isAllowed = lost > acknowledged || mayBeGone || mayBeShortened
      guard isAllowed || sent[Int(lost)] == .lost else {
        return "entry \(seq) says that \(lost) is lost, which was acknowledged"
      }
      sent[Int(lost)] = .lost
    }
    return nil
  }

  /// The daemon says that all of it was imported.
  func imported() {
    sent = sent.map { _ in .whole }
    acknowledged = last
  }

  /// The daemon acknowledges. Returns what is wrong with that.
  func acknowledge(_ seq: Int64) -> String? {
    guard seq <= last else { return "entry \(seq) is acknowledged, and the last one is \(last)" }
    for index in stride(from: max(0, acknowledged + 1), through: seq, by: 1)
    where sent[Int(index)] == .never {
      return "entry \(index) is acknowledged, and was never sent"
    }
    acknowledged = max(acknowledged, seq)
    return nil
  }
}

/// Everything that was recorded.
///
/// Safe: the simulation has one thread.
final class Book: @unchecked Sendable {
  private(set) var timelines: [TimelineID: TimelineBook] = [:]
  private(set) var order: [TimelineID] = []

  func begin(_ id: TimelineID, owner: String) -> TimelineBook {
    let book = TimelineBook(id, owner: owner)
    timelines[id] = book
    order.append(id)
    return book
  }

  subscript(id: TimelineID) -> TimelineBook? { timelines[id] }

  var all: [TimelineBook] { order.compactMap { timelines[$0] } }
}
