internal import CPostgres
package import TimelineStore

// Safe: libpq allocates the list of options and ends it with one without a keyword; it is read and
// freed here.

/// Where a PostgreSQL database is, in one of libpq's forms: a URI, or keywords with values.
///
/// It has no password: every user of a machine can read the arguments of its processes. libpq finds
/// passwords in its password file, in a service file, or in the environment.
package struct PostgresAddress: Hashable, Sendable {
  /// The text, without a password.
  let text: String

  /// Whether it limits how long a connection may take; libpq waits forever for 0.
  private let limitsConnecting: Bool

  /// Refuses a text that libpq cannot read, or that has a password. The error repeats no part of it.
  package init(_ text: String) throws(StoreError) {
    guard !text.isEmpty else { throw Self.refusal("it is empty; pass a URI or keywords") }
    // A message or a log line has one line.
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
      throw Self.refusal("it has a control character, such as a line break; remove it")
    }
    guard let options = PQconninfoParse(text, nil) else {
      throw Self.refusal(
        "it is neither a URI such as postgres://host/database nor keywords with values")
    }
    defer { PQconninfoFree(options) }
    var option = options
    var limitsConnecting = false
    while let keyword = option.pointee.keyword.map({ String(cString: $0) }) {
      if let value = option.pointee.val.map({ String(cString: $0) }) {
        // Older versions of libpq know fewer secrets, and mark all that they know.
        let isSecret = option.pointee.dispchar.map { String(cString: $0) == "*" } ?? false
        guard !isSecret, !Self.mayHidePassword(keyword, value) else {
          throw Self.refusal(
            "it has a password, which other users of this machine could read; put it into "
              + "~/.pgpass, the file that PGPASSFILE names, or a service file")
        }
        if keyword == "connect_timeout" { limitsConnecting = Int(value).map { $0 > 0 } ?? false }
      }
      option += 1
    }
    self.text = text
    self.limitsConnecting = limitsConnecting
  }

  /// Whether a value is what libpq makes of an address whose password has a wrong place, or a
  /// character that must be written as `%2F` or the like.
  private static func mayHidePassword(_ keyword: String, _ value: String) -> Bool {
    switch keyword {
    case "port": value.contains { !"0123456789,".contains($0) }
    // A name that starts with @ is that of a socket.
    case "host": value.split(separator: ",").contains { $0.dropFirst().contains("@") }
    case "dbname": value.contains { ":@=".contains($0) }
    case "user": value.contains(":")
    case "options": value.lowercased().contains("password")
    default: false
    }
  }

  private static func refusal(_ message: String) -> StoreError {
    StoreError(.server(DatabaseServerError(doing: "reading the address", message: message)))
  }

  /// The values for libpq. Later ones replace earlier ones, so an address can change each of ours
  /// before it.
  var keywords: [(name: String, value: String)] {
    let limit = ("connect_timeout", "10")
    return [
      // A network that loses packets must not keep the writer waiting for the system's two hours.
      limit, ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "20000"), ("fallback_application_name", "debugd"), ("dbname", text),
      ("client_encoding", "UTF8"),
    ] + (limitsConnecting ? [] : [limit])
  }
}
