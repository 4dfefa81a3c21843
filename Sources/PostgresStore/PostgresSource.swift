package import TimelineStore

package struct PostgresSource: RowSource {
  let address: PostgresAddress

  /// What each transaction of the writer proves; `nil` without a lease, in tests.
  let proof: LeaseProof?

  init(_ address: PostgresAddress, proof: LeaseProof? = nil) {
    self.address = address
    self.proof = proof
  }

  package func openWriting(indexer: any ChunkIndexer) throws(StoreError) -> any RowWriting {
    try PostgresRows(address, indexer: indexer, proof: proof)
  }

  package func openReading() throws(StoreError) -> any RowReading {
    try PostgresReading(opening: address)
  }

  package func leavesReading(after error: StoreError) -> Bool {
    guard case .server(let fault) = error.reason else { return false }
    return fault.leavesReading
  }
}
