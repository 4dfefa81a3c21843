/// An error of a database server, or of the connection to it.
package struct DatabaseServerError: Error, Hashable, Sendable {
  /// The failed operation.
  package var doing: String

  /// The server's message, or the library's.
  package var message: String

  /// The server's code, five characters; `nil` if the connection failed.
  package var code: String?

  /// Whether the connection failed, rather than a statement.
  private var isDisconnected = false

  package init(doing: String, message: String, code: String? = nil) {
    self.doing = doing
    self.message = message
    self.code = code
  }

  /// The connection failed, for a reason that the library gives.
  package static func disconnected(doing: String, message: String) -> DatabaseServerError {
    var error = DatabaseServerError(doing: doing, message: message)
    error.isDisconnected = true
    return error
  }

  /// Another process has taken over a timeline. Nothing of the transaction was stored.
  package static let fenced = DatabaseServerError(
    doing: "storing entries", message: "another daemon writes the timeline")

  /// Another daemon has taken over the lease of the database. Nothing of the transaction was stored.
  package static let leaseLost = DatabaseServerError(
    doing: "storing entries", message: "another daemon has the lease of the database")

  /// The database is another program's.
  package static let foreignTables = DatabaseServerError(
    doing: "looking for timelines", message: "the database has a table 'meta' of another program")

  /// Whether a statement names a column that its table does not have.
  package var isOfMissingColumn: Bool { code == "42703" }

  /// Whether the connection to the server failed or was lost, rather than a statement.
  package var isOfConnection: Bool {
    // The server ended the connection, or is starting or shutting down.
    isDisconnected || code.map { $0.hasPrefix("08") || $0.hasPrefix("57P") } ?? false
  }

  /// Whether another session's lock lasted longer than the limit.
  package var isOfLock: Bool { code == "55P03" }

  /// Whether the server can answer questions, and refuses to write.
  package var leavesReading: Bool {
    // It has no space or memory, or is a standby.
    code.map { $0.hasPrefix("53") || $0 == "25006" } ?? false
  }
}

extension DatabaseServerError: CustomStringConvertible {
  package var description: String {
    "\(doing) failed: \(message)" + (code.map { " (PostgreSQL \($0))" } ?? "")
  }
}
