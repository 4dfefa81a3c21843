import JSONCore
import Timelines

/// What was handed to the writing thread, in order.
struct WriterInbox: Sendable {
  private(set) var submissions: [Submission] = []
  private(set) var sealed: [SealedRun] = []

  /// Whether the thread was told to look.
  private(set) var isAnnounced = false

  var isEmpty: Bool { submissions.isEmpty && sealed.isEmpty }

  /// Adds something; answers whether the thread must be told.
  mutating func add(_ submission: Submission) -> Bool {
    submissions.append(submission)
    return announce()
  }

  /// Adds a sealed run; answers whether the thread must be told.
  mutating func add(_ run: SealedRun) -> Bool {
    sealed.append(run)
    return announce()
  }

  /// Answers whether the thread must be told.
  mutating func announce() -> Bool {
    defer { isAnnounced = true }
    return !isAnnounced
  }

  /// Takes what fits into one commit.
  mutating func take(upTo bytes: Int) -> (submissions: [Submission], sealed: [SealedRun]) {
    isAnnounced = false
    var taken = 0
    var size = 0
    while taken < submissions.count, size < bytes {
      size += submissions[taken].byteCount
      taken += 1
    }
    let first = Array(submissions[..<taken])
    submissions.removeFirst(taken)
    defer { sealed = [] }
    return (first, sealed)
  }

  /// Puts back what could not be committed.
  mutating func putBack(_ back: [Submission]) {
    submissions.insert(contentsOf: back, at: 0)
  }
}

/// Something to be written, and who wants to know.
enum Submission: Sendable {
  case open(Header, BranchRequest?, isImport: Bool, Answer<Opened>)
  case append(AppendBatch, Answer<Appended>)
  case change(Change, Answer<Void>)

  /// How an answer is given, on the store's thread.
  typealias Answer<Value> = @Sendable (Result<Value, StoreError>) -> Void

  /// A change of a timeline that is there.
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

/// What is asked for when a branch is made.
struct BranchRequest: Sendable {
  var parent: TimelineRow.Shared
  var computing: Int64?
}

/// What became of opening a timeline.
package struct Opened: Hashable, Sendable {
  /// Whether it is new.
  package var isNew: Bool
  /// The last seq that survives anything; a recorder goes on behind it.
  package var durable: Int64?
}
