package import TimelineStore

/// A PostgreSQL database with timelines.
package struct PostgresSource: RowSource {
  let address: PostgresAddress

  package init(_ address: PostgresAddress) {
    self.address = address
  }

  package func openWriting(indexer: any ChunkIndexer) throws(StoreError) -> any RowWriting {
    try PostgresRows(address, indexer: indexer)
  }

  package func openReading() throws(StoreError) -> any RowReading {
    try PostgresReading(opening: address)
  }

  package func leavesReading(after error: StoreError) -> Bool {
    guard case .server(let fault) = error.reason else { return false }
    return fault.leavesReading
  }
}
