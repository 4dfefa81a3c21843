/// Makes the index of chunks: what can always be made again from the entries.
///
/// Called on a thread of its own, beside the one that writes; the store keeps what comes back, in
/// the same transaction as the chunk.
package protocol ChunkIndexer: Sendable {
  /// The version of what is made; the store makes the whole index anew when it finds another one.
  var version: Int64 { get }

  /// The index of one chunk.
  func rows(for chunk: EntryRun) -> IndexRows

  /// The summary of a longer stretch from the summaries of the stretches that it consists of.
  func summary(of parts: [[UInt8]]) -> [UInt8]
}

/// What the index says of one chunk.
package struct IndexRows: Hashable, Sendable {
  /// The seqs at which a path changed, in the indexer's own encoding.
  package struct Posting: Hashable, Sendable {
    /// What changed: a hash of the path and of the way in which it was concerned.
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
    /// The event's name.
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

  /// The rows of one chunk.
  package init(postings: [Posting] = [], names: [Name] = [], summary: [UInt8] = []) {
    self.postings = postings
    self.names = names
    self.summary = summary
  }
}

/// Indexes nothing.
package struct NoIndexer: ChunkIndexer {
  /// An indexer that indexes nothing.
  package init() {}

  package let version: Int64 = 0

  package func rows(for chunk: EntryRun) -> IndexRows { IndexRows() }

  package func summary(of parts: [[UInt8]]) -> [UInt8] { [] }
}
