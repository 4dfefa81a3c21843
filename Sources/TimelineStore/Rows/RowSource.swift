/// Where the rows of a store are: opens the connections that write and read.
package protocol RowSource: Sendable {
  /// A connection for the one writing thread.
  ///
  /// Creates what is missing, brings the rows to this build's format, and removes an index of
  /// another version.
  func openWriting(indexer: any ChunkIndexer) throws(StoreError) -> any RowWriting

  /// A connection for a reading thread.
  func openReading() throws(StoreError) -> any RowReading

  /// Whether ``openFrozen()`` would read everything that is durable, after a connection could not
  /// be opened, provided that nothing is written.
  func isReadableFrozen(after error: StoreError) -> Bool

  /// A connection that reads rows which do not change.
  func openFrozen() throws(StoreError) -> any RowReading

  /// Whether rows can still be read after a connection for writing could not be opened: the storage
  /// is full or failing, and this build understands the rows without a migration.
  func leavesReading(after error: StoreError) -> Bool
}

extension RowSource {
  package func isReadableFrozen(after error: StoreError) -> Bool { false }

  package func openFrozen() throws(StoreError) -> any RowReading { try openReading() }
}
