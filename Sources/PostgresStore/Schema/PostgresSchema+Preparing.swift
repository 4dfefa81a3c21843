import TimelineStore

extension PostgresSchema {
  /// Creates missing tables, and refuses a newer format.
  static func prepare(
    _ connection: PostgresConnection, indexVersion: Int64, proof: LeaseProof?
  ) throws(StoreError) {
    // Without a change, which is the rule, nothing is locked.
    if try format(connection) == current, try version(connection) == indexVersion { return }
    try connection.transaction { () throws(StoreError) in
      for statement in PostgresConnection.limits { try connection.run(statement) }
      try lock(connection)
      try migrate(connection, from: try knownFormat(connection))
      if let proof { try connection.run(proof.statement) }
      let version = try version(connection)
      guard version != indexVersion else { return }
      if version != nil { try removeIndex(connection) }
      try set("index", to: indexVersion, connection)
    }
  }

  /// Waits until no other process changes the tables, until the end of the transaction.
  static func lock(_ connection: PostgresConnection) throws(StoreError) {
    // The number is arbitrary, and only of our tables.
    try connection.run("SELECT pg_advisory_xact_lock(7357001)")
  }

  /// The format of the tables, if this build understands it.
  static func knownFormat(_ connection: PostgresConnection) throws(StoreError) -> Int {
    let found = try format(connection)
    guard found <= current else { throw StoreError(.newer(format: found, known: current)) }
    return found
  }

  /// Brings the tables to the format of this build.
  static func migrate(_ connection: PostgresConnection, from found: Int) throws(StoreError) {
    guard found < current else { return }
    let limit = connection.limit
    connection.limit = PostgresConnection.Limit.preparation
    defer { connection.limit = limit }
    for migration in migrations.dropFirst(found) {
      for statement in migration { try connection.run(statement) }
    }
    try set("format", to: Int64(current), connection)
  }

  /// The format of the tables; 0 if there are none.
  static func format(_ connection: PostgresConnection) throws(StoreError) -> Int {
    // Not `to_regclass`, which may remember that there was no table before the lock was taken.
    let found = try connection.run(
      """
      SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relname = 'meta' AND n.nspname = current_schema()
      """)
    guard found.count > 0 else { return 0 }
    let format: String?
    do throws(StoreError) {
      // Another program's table may have other types, and any number.
      format = try connection.run(
        """
        SELECT value::text FROM meta
        WHERE key::text = 'format' AND pg_typeof(value) = 'bigint'::regtype
        """
      ).first?.text(0)
    } catch {
      guard case .server(let fault) = error.reason, fault.isOfMissingColumn else { throw error }
      throw StoreError(.server(.foreignTables))
    }
    guard let format = format.flatMap({ Int($0) }), format > 0 else {
      throw StoreError(.server(.foreignTables))
    }
    return format
  }

  private static func version(_ connection: PostgresConnection) throws(StoreError) -> Int64? {
    try connection.run("SELECT value FROM meta WHERE key = 'index'").first?.int(0)
  }

  private static func set(
    _ key: String, to value: Int64, _ connection: PostgresConnection
  ) throws(StoreError) {
    try connection.run(
      """
      INSERT INTO meta (key, value) VALUES ($1, $2)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      """, .text(key), .int(value))
  }

  /// Removes the whole index; it is rebuilt chunk by chunk.
  private static func removeIndex(_ connection: PostgresConnection) throws(StoreError) {
    let limit = connection.limit
    connection.limit = PostgresConnection.Limit.preparation
    defer { connection.limit = limit }
    for table in ["posting", "name", "level", "event"] {
      try connection.run("DELETE FROM \(table)")
    }
    try connection.run("UPDATE chunk SET indexed = false WHERE indexed")
    try connection.run("UPDATE timeline SET indexed = 0 WHERE indexed <> 0")
  }
}

extension PostgresConnection {
  /// Another session's lock, such as that of a backup or an administrator, is an error after this
  /// time, which is shorter than the limits of answers.
  static let lockLimit = PostgresStatement("SELECT set_config('lock_timeout', '10s', true)")

  /// The statements that begin each transaction that stores something.
  static let limits = [
    lockLimit,
    // The next holder of the lease waits for its row; a frozen daemon must not keep it.
    PostgresStatement("SELECT set_config('idle_in_transaction_session_timeout', '15s', true)"),
  ]

  /// Runs a closure in a transaction, which is rolled back if it throws.
  func transaction<Value>(
    _ body: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try run("BEGIN")
    let value: Value
    do {
      value = try body()
    } catch {
      rollBack()
      throw error
    }
    try run("COMMIT")
    return value
  }

  /// Ends a transaction without effect. If the connection is lost, the server does that.
  func rollBack() {
    if isUsable { _ = try? run("ROLLBACK") }
  }
}
