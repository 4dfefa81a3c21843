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

  /// The bytes of the lines of the sealed runs.
  private(set) var sealedBytes = 0

  /// Adds a sealed run; answers whether it is the first that waits, and whether the thread must be
  /// told because there are enough to be committed together.
  mutating func add(_ run: SealedRun, enough: Int) -> (isFirst: Bool, isDue: Bool) {
    sealed.append(run)
    sealedBytes += run.order.byteCount
    return (sealed.count == 1, sealedBytes >= enough && announce())
  }

  /// Answers whether the thread must be told.
  mutating func announce() -> Bool {
    defer { isAnnounced = true }
    return !isAnnounced
  }

  /// Takes what fits into one commit, the sealed runs when they have so many bytes.
  mutating func take(
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

  /// Lets go of sealed runs that were made for a connection that is no more.
  mutating func dropSealed() {
    (sealed, sealedBytes) = ([], 0)
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
