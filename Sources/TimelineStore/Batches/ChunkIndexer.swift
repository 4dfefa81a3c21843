/// Makes the index of chunks, which can always be rebuilt from the entries.
///
/// Called on a thread other than the writing one; the store saves the result in the same
/// transaction as the chunk.
package protocol ChunkIndexer: Sendable {
  /// The version of the index; if the stored one differs, the store rebuilds the whole index.
  var version: Int64 { get }

  func rows(for chunk: EntryRun) -> IndexRows

  /// The summary of a longer stretch from the summaries of its parts.
  func summary(of parts: [[UInt8]]) -> [UInt8]
}

package struct IndexRows: Hashable, Sendable {
  /// The seqs at which a path changed, in the indexer's own encoding.
  package struct Posting: Hashable, Sendable {
    /// A hash of the path and of the kind of change.
    package var key: Int64
    /// The encoded seqs.
    package var seqs: [UInt8]

    /// The seqs at which it changed.
    package init(key: Int64, seqs: [UInt8]) {
      self.key = key
      self.seqs = seqs
    }
  }

  /// The entries with events of one name, in the indexer's own encoding.
  package struct Name: Hashable, Sendable {
    package var name: String
    /// How many entries have it.
    package var count: Int64
    /// The encoded entries.
    package var entries: [UInt8]

    /// The entries with events of that name.
    package init(name: String, count: Int64, entries: [UInt8]) {
      self.name = name
      self.count = count
      self.entries = entries
    }
  }

  /// Each key once.
  package var postings: [Posting]

  /// Each name once.
  package var names: [Name]

  /// The chunk's summary: the lowest level of the pyramid.
  package var summary: [UInt8]

  package init(postings: [Posting] = [], names: [Name] = [], summary: [UInt8] = []) {
    self.postings = postings
    self.names = names
    self.summary = summary
  }
}

package struct NoIndexer: ChunkIndexer {
  package init() {}

  package let version: Int64 = 0

  package func rows(for chunk: EntryRun) -> IndexRows { IndexRows() }

  package func summary(of parts: [[UInt8]]) -> [UInt8] { [] }
}
