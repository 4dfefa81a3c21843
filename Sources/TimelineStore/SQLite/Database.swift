internal import CSQLite

/// A connection to an SQLite database, for one thread.
///
/// Statements are prepared once and lent to closures. SQLite errors are thrown as
/// ``DatabaseError``.
final class Database {
  enum Access {
    /// Read, write and create the file.
    case full
    case reading
    /// Read a file that does not change and has no log, where no log can be created either.
    case frozen
  }

  /// Safe: closed only in `deinit`, after all statements.
  private let handle: OpaquePointer

  /// The frames in the log after the last commit. Safe: SQLite writes it while this connection
  /// commits; freed after the connection was closed.
  private let logFrames: UnsafeMutablePointer<Int32>

  /// The location of the file. Kept, because its VFS must outlive the connection.
  private let disk: any StoreDisk

  /// Prepared statements by their text.
  private var prepared: [String: Prepared] = [:]

  /// A statement, and whether it is currently lent.
  private final class Prepared {
    let statement: OpaquePointer
    var isLent = false

    init(_ statement: OpaquePointer) {
      self.statement = statement
    }
  }

  init(
    path: String, access: Access, on disk: any StoreDisk = SystemDisk()
  ) throws(DatabaseError) {
    let path = Self.resolved(path, disk)
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    var name = path
    switch access {
    case .full:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      try Self.create(path, disk)
    case .reading: flags |= SQLITE_OPEN_READONLY
    case .frozen:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:\(Self.escaped(path))?immutable=1"
    }
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(name, &handle, flags, disk.vfs)
    guard let handle else {
      throw DatabaseError(
        code: code, message: "out of memory", doing: "opening \(path)", file: path)
    }
    guard code == SQLITE_OK else {
      let message = String(cString: sqlite3_errmsg(handle))
      sqlite3_close_v2(handle)
      throw DatabaseError(code: code, message: message, doing: "opening \(path)", file: path)
    }
    self.handle = handle
    self.disk = disk
    logFrames = .allocate(capacity: 1)
    logFrames.initialize(to: 0)
    let note:
      @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32)
        -> Int32 = { context, _, _, frames in
          context?.assumingMemoryBound(to: Int32.self).pointee = frames
          return SQLITE_OK
        }
    // Replaces SQLite's own hook, which would move the log inside a commit.
    sqlite3_wal_hook(handle, note, logFrames)
    // Only this process opens the file, so the wait is short: for a reader while the log is reset.
    sqlite3_busy_timeout(handle, 5_000)
    try execute("PRAGMA trusted_schema = OFF")
    try execute("PRAGMA cell_size_check = ON")
  }

  /// The path with links in its folder resolved, but not the file itself.
  ///
  /// The file must not be a link, but its folder may be. SQLite refuses links anywhere in the path.
  private static func resolved(_ path: String, _ disk: any StoreDisk) -> String {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    // A path that cannot be resolved cannot be opened either, and SQLite reports why.
    guard let resolved = try? disk.resolve(folder) else { return path }
    return resolved + "/" + name
  }

  /// A path, escaped for a URI.
  private static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain = scalar.properties.isASCIIHexDigit || "/-_.~".unicodeScalars.contains(scalar)
      if isPlain || ("A"..."Z").contains(scalar) || ("a"..."z").contains(scalar) {
        return String(scalar)
      }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Creates the file for its owner only, if it does not exist; SQLite gives its log the same mode.
  private static func create(_ path: String, _ disk: any StoreDisk) throws(DatabaseError) {
    do {
      try disk.makeFile(path)
    } catch {
      throw DatabaseError(code: error.sqliteCode, message: error.words, doing: "opening \(path)")
    }
  }

  deinit {
    for known in prepared.values { sqlite3_finalize(known.statement) }
    sqlite3_close_v2(handle)
    logFrames.deallocate()
  }

  /// The number of pages in the log.
  var logLength: Int { Int(logFrames.pointee) }

  /// Runs a statement without using its result.
  func execute(_ sql: String, _ values: SQLValue...) throws(DatabaseError) {
    try withStatement(sql) { statement throws(DatabaseError) in
      try statement.bind(values)
      while try statement.step() {}
    }
  }

  /// Passes each row to a closure.
  func forEach(
    _ sql: String, _ values: SQLValue...,
    row body: (borrowing Statement) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try withStatement(sql) { statement throws(DatabaseError) in
      try statement.bind(values)
      while try statement.step() { try body(statement) }
    }
  }

  /// The result of a closure for the first row, or `nil` if there is none.
  func first<Value>(
    _ sql: String, _ values: SQLValue..., row body: (borrowing Statement) -> Value
  ) throws(DatabaseError) -> Value? {
    try withStatement(sql) { statement throws(DatabaseError) in
      try statement.bind(values)
      return try statement.step() ? body(statement) : nil
    }
  }

  /// The integer in the first column of the first row; 0 if there is none.
  func integer(_ sql: String, _ values: SQLValue...) throws(DatabaseError) -> Int64 {
    try withStatement(sql) { statement throws(DatabaseError) in
      try statement.bind(values)
      return try statement.step() ? statement.int(0) : 0
    }
  }

  func withStatement<Value>(
    _ sql: String, _ body: (borrowing Statement) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    guard let known = prepared[sql] else {
      let made = Prepared(try prepare(sql))
      prepared[sql] = made
      return try lend(made, body)
    }
    guard known.isLent else { return try lend(known, body) }
    // The same SQL inside the closure gets another statement.
    let other = try prepare(sql)
    defer { sqlite3_finalize(other) }
    return try body(Statement(other))
  }

  private func lend<Value>(
    _ known: Prepared, _ body: (borrowing Statement) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    known.isLent = true
    defer {
      sqlite3_reset(known.statement)
      sqlite3_clear_bindings(known.statement)
      known.isLent = false
    }
    return try body(Statement(known.statement))
  }

  private func prepare(_ sql: String) throws(DatabaseError) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else {
      throw DatabaseError(code: code, of: handle, doing: "preparing '\(sql)'")
    }
    return statement
  }

  /// The bytes of the pages that are in use.
  func usedBytes() throws(DatabaseError) -> Int64 {
    let pages = try integer("PRAGMA page_count")
    let free = try integer("PRAGMA freelist_count")
    return (pages - free) * (try integer("PRAGMA page_size"))
  }

  /// The number of rows that the last statement changed.
  var changes: Int64 { sqlite3_changes64(handle) }

  /// The id of the last inserted row.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs a closure in a transaction, which is rolled back if it throws.
  func transaction<Value>(
    _ kind: String = "IMMEDIATE", _ body: () throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    try execute("BEGIN \(kind)")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // SQLite may have rolled back already.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Moves the log into the database; returns the frames that remain in the log.
  func checkpoint(truncating: Bool = false) throws(DatabaseError) -> Int {
    var frames: Int32 = 0
    var moved: Int32 = 0
    let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &moved)
    // An active reader is not an error: the rest is moved next time. But a caller that needs an
    // empty log must know.
    guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY && !truncating else {
      throw DatabaseError(code: code, of: handle, doing: "a checkpoint")
    }
    logFrames.pointee = frames - moved
    return Int(frames - moved)
  }
}
