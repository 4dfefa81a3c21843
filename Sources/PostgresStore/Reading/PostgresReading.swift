import TimelineStore
import Timelines

/// Reads the rows of a PostgreSQL database.
///
/// Each question is one statement. A moment is a transaction that sees one snapshot; it begins with
/// the first question, in the same round trip, and ends without waiting.
final class PostgresReading: RowReading {
  private let address: PostgresAddress?
  private var connection: PostgresConnection?
  private var moment = Moment.none

  private enum Moment {
    case none
    /// Begun here, and not on the server.
    case due
    case begun
  }

  /// Reads with a connection of its own, which is opened again when it is lost.
  init(opening address: PostgresAddress) throws(StoreError) {
    self.address = address
    connection = try PostgresConnection(address)
  }

  /// Reads with a writer's connection, between its transactions.
  init(sharing connection: PostgresConnection) {
    address = nil
    self.connection = connection
  }

  func beginMoment() throws(StoreError) {
    if connection?.isUsable != true, let address { connection = try PostgresConnection(address) }
    moment = .due
  }

  func endMoment() {
    if moment == .begun { connection?.start("COMMIT") }
    moment = .none
  }

  func ask(_ sql: String, _ values: PostgresValue...) throws(StoreError) -> PostgresResult {
    let statement = PostgresStatement(sql, values)
    guard let connection else { throw StoreError(.closed) }
    guard moment == .due else { return try connection.run(statement) }
    do {
      let result = try Self.begin(connection, statement)
      moment = .begun
      return result
    } catch {
      // The server may have ended a connection that was idle; nothing was read on it yet.
      guard let address, !connection.isUsable else {
        // Otherwise every later question would fail, and a pool would miss the connection.
        connection.rollBack()
        throw error
      }
      let next = try PostgresConnection(address)
      self.connection = next
      let result = try Self.begin(next, statement)
      moment = .begun
      return result
    }
  }

  private static func begin(
    _ connection: PostgresConnection, _ statement: PostgresStatement
  ) throws(StoreError) -> PostgresResult {
    let results = try connection.pipeline([
      PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"),
      PostgresConnection.lockLimit, statement,
    ])
    guard let result = results.last else { throw StoreError(.closed) }
    return result
  }

  func usedBytes() throws(StoreError) -> Int64 {
    try ask(
      """
      SELECT coalesce((SELECT sum(stored + indexed) FROM timeline), 0)::bigint
        + coalesce((SELECT sum(octet_length(lines)) FROM tail), 0)::bigint
      """
    ).first?.int(0) ?? 0
  }

  /// PostgreSQL has no statement that checks a database; the entries are checked by reading them.
  func integrityFaults() throws(StoreError) -> [String] { [] }
}
