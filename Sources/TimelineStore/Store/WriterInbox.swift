import JSONCore
import Timelines

/// Submissions to the writing thread, in order.
struct WriterInbox: Sendable {
  private(set) var submissions: [Submission] = []
  private(set) var sealed: [SealedRun] = []

  /// Whether the thread was notified.
  private(set) var isAnnounced = false

  var isEmpty: Bool { submissions.isEmpty && sealed.isEmpty }

  /// Adds a submission; returns whether to notify the thread.
  mutating func add(_ submission: Submission) -> Bool {
    submissions.append(submission)
    return announce()
  }

  /// The bytes of the lines of the sealed runs.
  private(set) var sealedBytes = 0

  /// Adds a sealed run; returns whether it is the first one waiting, and whether to notify the
  /// thread because there are enough for a commit.
  mutating func add(_ run: SealedRun, enough: Int) -> (isFirst: Bool, isDue: Bool) {
    sealed.append(run)
    sealedBytes += run.order.byteCount
    return (sealed.count == 1, sealedBytes >= enough && announce())
  }

  /// Returns whether to notify the thread.
  mutating func announce() -> Bool {
    defer { isAnnounced = true }
    return !isAnnounced
  }

  /// Removes and returns what fits into one commit; sealed runs only if they have enough bytes.
  mutating func dequeue(
    upTo bytes: Int, sealedFrom enough: Int = 0
  ) -> (submissions: [Submission], sealed: [SealedRun]) {
    isAnnounced = false
    var taken = 0
    var size = 0
    while taken < submissions.count, size < bytes {
      size += submissions[taken].byteCount
      taken += 1
    }
    let first = Array(submissions[..<taken])
    submissions.removeFirst(taken)
    guard sealedBytes >= enough else { return (first, []) }
    defer { (sealed, sealedBytes) = ([], 0) }
    return (first, sealed)
  }

  /// Drops sealed runs that were made for a closed connection.
  mutating func dropSealed() {
    (sealed, sealedBytes) = ([], 0)
  }

  /// Puts back what could not be committed.
  mutating func putBack(_ back: [Submission]) {
    submissions.insert(contentsOf: back, at: 0)
  }
}

/// A write request with its callback.
enum Submission: Sendable {
  case open(Header, BranchRequest?, isImport: Bool, Answer<Opened>)
  case append(AppendBatch, Answer<Appended>)
  case change(Change, Answer<Void>)

  /// The callback for a result, on the store's thread.
  typealias Answer<Value> = @Sendable (Result<Value, StoreError>) -> Void

  /// A change of an existing timeline.
  struct Change: Sendable {
    var timeline: TimelineID
    var rows: @Sendable (LiveTimeline) throws(StoreError) -> [RowChange]
  }

  var byteCount: Int {
    switch self {
    case .append(let batch, _): batch.byteCount
    case .open(let header, _, _, _): header.line.range.count
    case .change: 64
    }
  }

  func refuse(_ error: StoreError) {
    switch self {
    case .open(_, _, _, let answer): answer(.failure(error))
    case .append(_, let answer): answer(.failure(error))
    case .change(_, let answer): answer(.failure(error))
    }
  }
}

/// A request to make a branch.
struct BranchRequest: Sendable {
  var parent: TimelineRow.Shared
  var computing: Int64?
}

/// The result of opening a timeline.
package struct Opened: Hashable, Sendable {
  package var isNew: Bool
  /// The last durable seq; a recorder continues after it.
  package var durable: Int64?
  /// The time of that entry.
  package var t: Int64 = 0
  /// Whether the state after that entry is known.
  package var isStateKnown = false
}
