package import JSONCore
package import Timelines

/// What an explanation asks of recordings: the queries that commands and the page use as well.
package protocol RecordedFacts: Sendable {
  /// An entry; `nil` if it is not stored.
  func entry(_ place: EntryReference) async throws -> Entry?

  /// The moment after an entry; `nil` beyond the timeline's ends.
  func moment(after place: EntryReference) async throws -> Moment?

  /// The latest changes of a value, up to an entry and including it, the latest first.
  ///
  /// - Parameter path: a path that begins with `state` or `outputs`.
  func changes(
    of path: Pointer, upTo place: EntryReference, limit: Int
  ) async throws -> RecordedChanges
}

/// The latest changes of a value.
package struct RecordedChanges: Hashable, Sendable {
  /// The entries that changed it, the latest first.
  package var seqs: [Int64]
  /// The seqs of which the recording does not say whether they changed it, ascending.
  package var unknown: [ClosedRange<Int64>]

  package init(seqs: [Int64] = [], unknown: [ClosedRange<Int64>] = []) {
    self.seqs = seqs
    self.unknown = unknown
  }

  /// Whether the recording says of every entry after `seq` that it did not change the value.
  func isCertain(after seq: Int64?) -> Bool {
    guard let seq else { return unknown.isEmpty }
    return !unknown.contains { $0.upperBound > seq }
  }
}
