import TimelineStore
import Timelines

/// Writes the rows to a PostgreSQL database, for the one writing thread.
///
/// A commit is one transaction. Its statements are sent together, and the server is awaited once for
/// some dozens of them. Each write of entries proves that no other process has taken the timeline
/// over since this one has read its end; otherwise the whole transaction is rolled back.
final class PostgresRows: RowWriting, RowsForShapes {
  let connection: PostgresConnection
  let indexer: any ChunkIndexer

  /// What each transaction proves; `nil` without a lease.
  private let proof: LeaseProof?

  /// What is known of the timelines' epochs, by row.
  private var epochs: [Int64: Epoch] = [:]

  /// The epochs that the current transaction changes.
  private var claimed: [Int64: Int64] = [:]

  /// The statements of the current transaction that were not sent.
  private var waiting: [PostgresStatement] = []

  /// The parts of the pyramid that the current transaction may complete.
  var addedLevels: [PostgresLevel] = []

  /// A statement at the end of each transaction, for tests.
  var beforeCommit: String?

  private struct Epoch {
    var number: Int64
    /// Whether it is this writer's own.
    var isOwn: Bool
  }

  init(
    _ address: PostgresAddress, indexer: any ChunkIndexer, proof: LeaseProof? = nil
  ) throws(StoreError) {
    self.indexer = indexer
    self.proof = proof
    connection = try PostgresConnection(address, limit: PostgresConnection.Limit.commit)
    try PostgresSchema.prepare(connection, indexVersion: indexer.version, proof: proof)
    // An import is incomplete if the process that ran it ended.
    try runWithProof("UPDATE timeline SET phase = 2, uuid = NULL WHERE phase = 1")
  }

  var reading: any RowReading { PostgresReading(sharing: connection) }

  func commit(_ changes: [RowChange]) throws(StoreError) {
    (waiting, claimed, addedLevels) = ([], [:], [])
    do {
      add("BEGIN")
      // The server may have been configured to lose what it has confirmed.
      add(
        """
        SELECT set_config('synchronous_commit', 'on', true)
        WHERE current_setting('synchronous_commit') = 'off'
        """)
      waiting += PostgresConnection.limits
      for change in changes { try apply(change) }
      try flush()
      try completeLevels()
      if let beforeCommit { add(beforeCommit) }
      // Last, so that a transaction that is half sent does not hold the row of the lease.
      if let proof { waiting.append(proof.statement) }
      try flush()
      try connection.run("COMMIT")
    } catch {
      connection.rollBack()
      // Whether the transaction was committed is unknown if the connection was lost in between.
      epochs = [:]
      throw error
    }
    for (row, epoch) in claimed { epochs[row] = Epoch(number: epoch, isOwn: true) }
    if epochs.count > Self.epochLimit { epochs = [:] }
  }

  /// Some dozens of MiB. A timeline whose epoch was forgotten is read again, after a pause.
  private static let epochLimit = 1 << 20

  /// Runs a statement that cleans up, in a transaction of its own.
  ///
  /// It is repeated if it is lost, so it waits for no standby. Otherwise each attempt to write again
  /// would leave a waiting process on a server whose standby is down.
  @discardableResult
  func runWithProof(_ sql: String, _ values: PostgresValue...) throws(StoreError) -> PostgresResult
  {
    let statement = PostgresStatement(sql, values)
    return try connection.transaction { () throws(StoreError) in
      for statement in PostgresConnection.limits { try connection.run(statement) }
      try connection.run("SELECT set_config('synchronous_commit', 'local', true)")
      let result = try connection.run(statement)
      if let proof { try connection.run(proof.statement) }
      return result
    }
  }

  /// Adds a statement to the transaction, to send it with others.
  func add(_ sql: String, _ values: PostgresValue..., expected: Int64? = nil) {
    waiting.append(PostgresStatement(sql, values, expected: expected))
  }

  /// Runs a statement after those that wait.
  func query(_ sql: String, _ values: PostgresValue...) throws(StoreError) -> PostgresResult {
    try flush()
    return try connection.run(PostgresStatement(sql, values))
  }

  func flush() throws(StoreError) {
    // While the server sends results that are not read yet, it may stop reading: some at a time.
    while !waiting.isEmpty {
      let next = Array(waiting.prefix(Self.pipelineLength))
      waiting.removeFirst(next.count)
      _ = try connection.pipeline(next)
    }
  }

  private static let pipelineLength = 64

  // MARK: Epochs

  /// Remembers the epoch of a timeline whose end was read.
  func remember(epoch: Int64, of row: Int64) {
    if let known = epochs[row], known.isOwn, known.number == epoch { return }
    epochs[row] = Epoch(number: epoch, isOwn: false)
  }

  /// Records the epoch of a timeline that the transaction creates.
  func begin(_ row: Int64) -> Int64 {
    claimed[row] = 1
    return 1
  }

  /// The epoch with which the transaction writes a timeline's entries; takes the timeline over first
  /// if another process may have written it.
  func epoch(of row: Int64) throws(StoreError) -> Int64 {
    if let epoch = claimed[row] { return epoch }
    if let known = epochs[row], known.isOwn { return known.number }
    // Without knowing the end, there is nothing to continue.
    guard let read = epochs[row]?.number, read < .max else { throw StoreError(.server(.fenced)) }
    add(
      "UPDATE timeline SET epoch = $2 WHERE id = $1 AND epoch = $3", .int(row), .int(read + 1),
      .int(read), expected: 1)
    claimed[row] = read + 1
    return read + 1
  }

  /// Forgets a timeline that was deleted.
  func forget(_ row: Int64) {
    epochs[row] = nil
  }
}
