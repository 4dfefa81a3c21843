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
    guard !text.utf8.contains(0), let options = PQconninfoParse(text, nil) else {
      throw StoreError(
        .server(
          DatabaseServerError(
            doing: "reading the address",
            message: "it is neither a URI such as postgres://host/database nor keywords with values"
          )
        ))
    }
    defer { PQconninfoFree(options) }
    var option = options
    var limitsConnecting = false
    while option.pointee.keyword != nil {
      // Older versions of libpq know fewer secrets, and mark all that they know.
      let isSecret = option.pointee.dispchar.map { String(cString: $0) == "*" } ?? false
      if isSecret, option.pointee.val != nil {
        throw StoreError(
          .server(
            DatabaseServerError(
              doing: "reading the address",
              message: "it has a password, which other users of this machine could read; put it "
                + "into ~/.pgpass, the file that PGPASSFILE names, or a service file")))
      }
      if String(cString: option.pointee.keyword) == "connect_timeout", let limit = option.pointee.val {
        limitsConnecting = Int(String(cString: limit)).map { $0 > 0 } ?? false
      }
      option += 1
    }
    self.text = text
    self.limitsConnecting = limitsConnecting
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
