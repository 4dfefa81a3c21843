internal import CPostgres
import TimelineStore

// Safe: the handle is closed in `deinit`, and used by one thread at a time. libpq keeps its messages
// until the next call on the connection, and they are copied here.

/// A connection to a PostgreSQL server, for one thread.
///
/// Nothing it does outlives a transaction, so that a pool such as PgBouncer may give each transaction
/// another server process.
final class PostgresConnection {
  let handle: OpaquePointer

  /// Whether there is a statement whose result was not awaited.
  private var isDraining = false

  /// Whether statements were sent that cannot be awaited anymore.
  private var isBroken = false

  /// Whether the server has not answered within the limit. The connection is shut down.
  var hasTimedOut = false

  /// How long the server may take for an answer, in milliseconds.
  var limit: Int

  init(_ address: PostgresAddress, limit: Int = Limit.question) throws(StoreError) {
    self.limit = limit
    let keywords = address.keywords
    let opened = Self.withList(keywords.map(\.name)) { names in
      Self.withList(keywords.map(\.value)) { values in PQconnectdbParams(names, values, 1) }
    }
    guard let opened else {
      throw StoreError(.server(DatabaseServerError(doing: "connecting", message: "out of memory")))
    }
    handle = opened
    guard PQstatus(handle) == CONNECTION_OK else { throw failure(doing: "connecting") }
    // Notices, such as that a table exists, would be printed to standard error.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    // A server that does not read must not stop the sender forever.
    guard PQsetnonblocking(handle, 1) == 0 else { throw failure(doing: "connecting") }
  }

  deinit {
    limit = min(limit, Limit.ending)
    drain()
    PQfinish(handle)
  }

  /// Whether the connection can be used.
  var isUsable: Bool { !isBroken && !hasTimedOut && PQstatus(handle) == CONNECTION_OK }

  /// When a server that is asked now must have answered.
  private var deadline: ContinuousClock.Instant { .now + .milliseconds(limit) }

  @discardableResult
  func run(_ sql: String, _ values: PostgresValue...) throws(StoreError) -> PostgresResult {
    try run(PostgresStatement(sql, values))
  }

  @discardableResult
  func run(_ statement: PostgresStatement) throws(StoreError) -> PostgresResult {
    drain()
    guard !hasTimedOut, send(statement) else { throw failure(doing: statement.verb) }
    let deadline = deadline
    let result = nextResult(until: deadline)
    while result != nil, let rest = nextResult(until: deadline) { PQclear(rest) }
    return try checked(result, statement)
  }

  private func send(_ statement: PostgresStatement) -> Bool {
    statement.withParameters { count, types, values, lengths, formats in
      PQsendQueryParams(handle, statement.sql, count, types, values, lengths, formats, 1) == 1
    }
  }

  /// Starts a statement without parameters, and does not wait for its end.
  func start(_ sql: String) {
    drain()
    isDraining = PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1
    if isDraining { _ = PQflush(handle) }
  }

  /// Waits for a statement that was started.
  private func drain() {
    guard isDraining else { return }
    isDraining = false
    let deadline = deadline
    while let result = nextResult(until: deadline) { PQclear(result) }
  }

  /// Runs statements one after the other, and waits for the server once; returns their results.
  ///
  /// After a failure the rest is skipped.
  func pipeline(_ statements: [PostgresStatement]) throws(StoreError) -> [PostgresResult] {
    drain()
    guard !hasTimedOut, PQenterPipelineMode(handle) == 1 else {
      throw failure(doing: "starting a pipeline")
    }
    guard statements.allSatisfy(send), PQpipelineSync(handle) == 1 else {
      isBroken = true
      throw failure(doing: "sending statements")
    }
    let deadline = deadline
    var results: [PostgresResult] = []
    var problem: StoreError?
    for statement in statements {
      let result = nextResult(until: deadline)
      do throws(StoreError) {
        results.append(try checked(result, statement))
      } catch {
        problem = problem ?? error
      }
      // Each result is followed by none.
      while isUsable, let rest = nextResult(until: deadline) { PQclear(rest) }
    }
    if isUsable, let synced = nextResult(until: deadline) { PQclear(synced) }
    isBroken = hasTimedOut || PQexitPipelineMode(handle) != 1
    if let problem { throw problem }
    guard !isBroken else { throw failure(doing: "ending a pipeline") }
    return results
  }

  private func checked(
    _ result: OpaquePointer?, _ statement: PostgresStatement
  ) throws(StoreError) -> PostgresResult {
    guard let result else { throw failure(doing: statement.verb) }
    let status = PQresultStatus(result)
    guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
      // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY are characters, which Swift does not import.
      let code = PQresultErrorField(result, Int32(UInt8(ascii: "C")))
      let message = PQresultErrorField(result, Int32(UInt8(ascii: "M")))
      let error = DatabaseServerError(
        doing: statement.verb,
        message: Self.text(message) ?? Self.text(PQerrorMessage(handle)) ?? "",
        code: Self.text(code))
      PQclear(result)
      throw StoreError(.server(error))
    }
    let checked = PostgresResult(result)
    if let expected = statement.expected, checked.changes != expected {
      throw StoreError(.server(statement.otherwise))
    }
    return checked
  }

  /// The error of the connection itself.
  private func failure(doing: String) -> StoreError {
    let message =
      hasTimedOut
      ? "there was no answer within \(Duration.milliseconds(limit))"
      : Self.text(PQerrorMessage(handle)) ?? ""
    return StoreError(.server(.disconnected(doing: doing, message: message)))
  }

  /// A message on one line.
  private static func text(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { text in
      // libpq indents with tabs, and adds questions, after which no sentence of ours could go on.
      let lines = String(cString: text).split(whereSeparator: \.isNewline)
      return lines.filter { !$0.hasSuffix("?") }.map { line in
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }.joined(separator: "; ")
    }
  }

  /// Lends texts as C strings, with a null at the end.
  private static func withList<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    let bytes = texts.map { Array($0.utf8CString) }
    let joined = Array(bytes.joined())
    return joined.withUnsafeBufferPointer { buffer in
      var start = 0
      var pointers: [UnsafePointer<CChar>?] = bytes.map { text in
        defer { start += text.count }
        return buffer.baseAddress.map { $0 + start }
      }
      pointers.append(nil)
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}
