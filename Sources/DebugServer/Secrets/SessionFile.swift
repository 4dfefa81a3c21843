internal import JSONCore
internal import Timelines
internal import Wire

/// Stores sessions across restarts: a private file with their secrets.
package struct SessionFile: Sendable {
  /// The maximum length of the file: more than 64 sessions with 400 copies each take.
  static let limit = 2 << 20

  private let file: PrivateFile

  package init(_ path: String) {
    file = PrivateFile(path)
  }

  /// Reads the sessions; an empty table if there is no file.
  package func load() throws(PrivateFileError) -> SessionTable {
    guard let bytes = try file.read(limit: Self.limit) else { return SessionTable() }
    guard let text = try? JSONSlice(validating: bytes), let list = text["sessions"],
      list.kind == .array
    else { throw PrivateFileError(.content("sessions"), path: file.path) }
    return SessionTable(list.elements.compactMap(Self.session))
  }

  package func save(_ table: SessionTable) throws(PrivateFileError) {
    try file.replace(with: Self.bytes(of: table))
  }

  static func bytes(of table: SessionTable) -> [UInt8] {
    let sessions = table.sessions.map { session -> JSON in
      var object = JSON.Object()
      object["id"] = .string(session.id)
      object["secret"] = .string(session.secret)
      object["capabilities"] = .array(session.capabilities.map { .string($0.rawValue) })
      object["created"] = .string(session.created.text)
      if let client = session.client { object["client"] = .string(client) }
      if let expires = session.expires { object["expires"] = .string(expires.text) }
      if !session.copies.isEmpty {
        object["copies"] = .array(session.copies.map { .string($0.text) })
      }
      return .object(object)
    }
    let file: JSON = ["sessions": .array(sessions)]
    return file.encoded() + [UInt8(ascii: "\n")]
  }

  /// A stored session; `nil` if it is invalid.
  private static func session(_ slice: JSONSlice) -> SessionTable.Session? {
    guard let id = slice["id"]?.string, let secret = slice["secret"]?.string,
      secret.utf8.count >= 32, let created = slice["created"]?.string.flatMap({ Timestamp($0) }),
      let words = slice["capabilities"]?.elements
    else { return nil }
    // A key whose end cannot be read must not become one without an end.
    let expires = slice["expires"]?.string.flatMap { Timestamp($0) }
    guard expires != nil || slice["expires"] == nil else { return nil }
    var session = SessionTable.Session(
      id: id, secret: secret, capabilities: words.compactMap { $0.string.flatMap(Capability.init) },
      client: slice["client"]?.string, created: created, expires: expires)
    if let copies = slice["copies"]?.elements {
      session.copies = copies.prefix(SessionTable.copyLimit).compactMap {
        $0.string.flatMap { TimelineID($0) }
      }
    }
    return session
  }
}
