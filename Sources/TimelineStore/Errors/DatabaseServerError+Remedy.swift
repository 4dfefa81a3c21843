import Timelines

extension DatabaseServerError {
  /// What to do when a daemon cannot start with a database, as a sentence.
  package func remedy(at address: String) -> String {
    if isOfConnection {
      return "To fix, make this command work for the daemon's user: psql \(address.shellWord)"
    }
    if self == .foreignTables || code.map({ Self.existing.contains($0) }) ?? false {
      return "To fix, use another, empty database."
    }
    switch code {
    case "42501":
      return "To fix, make the daemon's user the owner of the database and of its tables."
    case "25006": return "To fix, use the address of the server that accepts writes."
    case "55P03": return "To fix, end the other session's transaction, and start the daemon again."
    default: return "To fix, look into the server's log."
    }
  }

  /// A table, type, or other object of that name exists.
  private static let existing: Set<String> = ["42P07", "42710"]
}
