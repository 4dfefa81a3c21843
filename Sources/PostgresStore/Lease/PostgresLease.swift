import Synchronization
import TimelineStore

/// The lease of a database: the one row of the table `lease`, on the server's clock.
///
/// A daemon that acquires it raises its epoch, and each transaction of the writer proves the epoch.
final class PostgresLease: DatabaseLease {
  let milliseconds: Int
  private let address: PostgresAddress
  private let proof: LeaseProof
  private let state = Mutex(State())

  private struct State {
    var connection: PostgresConnection?
    /// A renewal that began before the release must not extend the lease after it.
    var isReleased = false
  }

  /// Creates missing tables and acquires the lease.
  init(_ address: PostgresAddress, _ holder: LeaseHolder) throws(StoreError) {
    let connection = try PostgresConnection(address, limit: PostgresConnection.Limit.commit)
    self.address = address
    milliseconds = holder.milliseconds
    proof = try Self.acquire(connection, holder)
  }

  var source: any RowSource { PostgresSource(address, proof: proof) }

  func renew() throws(StoreError) -> Durability {
    let result = state.withLock { state in
      Result { () throws(StoreError) -> Durability in
        guard !state.isReleased else { throw StoreError(.closed) }
        return try expire(in: milliseconds, &state.connection)
      }
    }
    return try result.get()
  }

  func release() {
    state.withLock { state in
      state.isReleased = true
      state.connection?.limit = PostgresConnection.Limit.release
      // If the database does not answer, the lease expires by itself.
      _ = try? expire(in: 0, &state.connection)
      state.connection = nil
    }
  }

  /// Sets when the lease expires; reads how durable commits are.
  private func expire(
    in milliseconds: Int, _ connection: inout PostgresConnection?
  ) throws(StoreError) -> Durability {
    let usable: PostgresConnection
    if let connection, connection.isUsable {
      usable = connection
    } else {
      usable = try PostgresConnection(address)
    }
    connection = usable
    do throws(StoreError) {
      let results = try usable.pipeline(statements(expiringIn: milliseconds))
      // After those that begin the transaction.
      let settings = results.dropFirst(2).first?.first
      return Self.durability(standbys: settings?.text(0) ?? "", commit: settings?.text(1) ?? "")
    } catch {
      // Otherwise the server would refuse every later renewal on this connection.
      usable.rollBack()
      throw error
    }
  }

  private func statements(expiringIn milliseconds: Int) -> [PostgresStatement] {
    [
      PostgresStatement("BEGIN"),
      PostgresConnection.lockLimit,
      PostgresStatement(
        """
        SELECT current_setting('synchronous_standby_names'), current_setting('synchronous_commit')
        """),
      // This commit waits for no standby: the epoch does not change. The update still waits for a
      // commit of the writer that does, because that holds the row.
      PostgresStatement("SELECT set_config('synchronous_commit', 'local', true)"),
      PostgresStatement(
        """
        UPDATE lease SET expires = clock_timestamp() + $2 * interval '1 millisecond'
        WHERE epoch = $1
        """, [.int(proof.epoch), .int(Int64(milliseconds))], expected: 1, otherwise: .leaseLost),
      PostgresStatement("COMMIT"),
    ]
  }

  /// What the server's settings of these names mean for a commit of the writer.
  ///
  /// The writer waits for the disk at least, so `off` is as good as `on`.
  static func durability(standbys: String, commit: String) -> Durability {
    guard commit != "local" else { return .oneMachine }
    return standbys.allSatisfy(\.isWhitespace) ? .oneMachine : .twoMachines
  }
}

// Acquiring.
extension PostgresLease {
  private static func acquire(
    _ connection: PostgresConnection, _ holder: LeaseHolder
  ) throws(StoreError) -> LeaseProof {
    try connection.transaction { () throws(StoreError) in
      // The lock is that of migrations, or of the lease's row: a transaction of a frozen daemon holds
      // it until the server ends it, which is earlier than this limit.
      try connection.run("SET LOCAL lock_timeout = '25s'")
      try PostgresSchema.lock(connection)
      let found = try PostgresSchema.knownFormat(connection)
      guard found >= PostgresSchema.firstWithLease else {
        try PostgresSchema.migrate(connection, from: found)
        return try claim(connection, holder)
      }
      let proof = try claim(connection, holder)
      try PostgresSchema.migrate(connection, from: found)
      return proof
    }
  }

  private static func claim(
    _ connection: PostgresConnection, _ holder: LeaseHolder
  ) throws(StoreError) -> LeaseProof {
    let epoch = try connection.run(
      """
      UPDATE lease SET epoch = epoch + 1, instance = $1, host = $2,
        expires = clock_timestamp() + $3 * interval '1 millisecond'
      WHERE expires <= clock_timestamp() OR instance = $1 RETURNING epoch
      """, .text(holder.instance), .peerText(holder.host), .int(Int64(holder.milliseconds))
    ).first?.int(0)
    if let epoch { return LeaseProof(epoch: epoch) }
    let other = try connection.run(
      """
      SELECT host, to_char(expires AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM lease
      """
    ).first
    throw StoreError(
      .leased(by: other?.text(0) ?? "another machine", until: other?.text(1) ?? "its end"))
  }
}

/// Proves in a transaction that a lease was not taken over, and keeps it so until the end of the
/// transaction.
struct LeaseProof: Hashable, Sendable {
  let epoch: Int64

  /// The last statement before the end of each transaction that stores something.
  var statement: PostgresStatement {
    PostgresStatement(
      "SELECT 1 FROM lease WHERE epoch = $1 FOR SHARE", [.int(epoch)], expected: 1,
      otherwise: .leaseLost)
  }
}
