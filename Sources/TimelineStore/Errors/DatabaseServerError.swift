/// An error of a database server, or of the connection to it.
package struct DatabaseServerError: Error, Hashable, Sendable {
  /// The failed operation.
  package var doing: String

  /// The server's message, or the library's.
  package var message: String

  /// The server's code, five characters; `nil` if the connection failed.
  package var code: String?

  package init(doing: String, message: String, code: String? = nil) {
    self.doing = doing
    self.message = message
    self.code = code
  }

  /// Another process has taken over a timeline. Nothing of the transaction was stored.
  package static let fenced = DatabaseServerError(
    doing: "storing entries", message: "another daemon writes the timeline")

  /// Whether the server can answer questions, and refuses to write.
  package var leavesReading: Bool {
    // It has no space or memory, or is a standby.
    code.map { $0.hasPrefix("53") || $0 == "25006" } ?? false
  }
}

extension DatabaseServerError: CustomStringConvertible {
  /// A sentence.
  package var description: String {
    "\(doing) failed: \(message)" + (code.map { " (PostgreSQL \($0))" } ?? "")
  }
}
