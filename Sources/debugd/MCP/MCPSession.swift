import JSONCore
import Timelines

/// The state of a conversation with a client of the Model Context Protocol; pure.
///
/// Two generations of the protocol are spoken. Clients of the older one begin with `initialize`, which
/// fixes a revision. Since 2026-07-28 there is no beginning: each request names its revision, and
/// `server/discover` asks for the server's.
struct MCPSession: Sendable {
  /// How a reply is written.
  enum Dialect: Equatable, Sendable {
    /// By the revision that `initialize` fixed.
    case handshake
    /// With a type and the server's name in each result.
    case perRequest
  }

  /// A request that waits for its result.
  struct Pending: Sendable {
    let id: JSON
    let dialect: Dialect
  }

  /// What the server has to do.
  enum Action: Sendable {
    case send(JSON)
    case listTools(Pending)
    case call(Pending, tool: String, arguments: JSON.Object)
    case cancel(id: JSON)
  }

  /// The revisions that begin with `initialize`, the newest first.
  ///
  /// Only 2025-03-26 allows a line of several messages, so it is not spoken.
  static let handshakeRevisions = ["2025-11-25", "2025-06-18", "2024-11-05"]
  /// The revision without a beginning.
  static let perRequestRevision = "2026-07-28"

  private static let revisionKey = "io.modelcontextprotocol/protocolVersion"
  private static let serverKey = "io.modelcontextprotocol/serverInfo"

  /// What a client's model reads before its first call.
  let instructions: String

  private var hasInitialized = false

  /// Whether the client can be notified: the newer revision has no notifications without a request.
  private(set) var isNotified = false

  init(instructions: String) {
    self.instructions = instructions
  }

  mutating func receive(_ line: [UInt8]) -> Action? {
    do {
      switch try MCPMessage(reading: line) {
      case .request(let id, let method, let parameters):
        return try request(id, method, parameters)
      case .notification(let method, let parameters):
        if method == "notifications/initialized" { isNotified = hasInitialized }
        return notification(method, parameters)
      case .reply:
        return nil
      }
    } catch {
      return .send(error.reply)
    }
  }

  private mutating func request(
    _ id: JSON, _ method: String, _ parameters: JSON.Object
  ) throws(MCPError) -> Action {
    if method == "initialize" {
      hasInitialized = true
      return .send(Self.envelope(id, initialized(parameters)))
    }
    let pending = Pending(id: id, dialect: try dialect(of: parameters, id))
    switch method {
    case "server/discover": return .send(result(pending, discovered))
    case "ping": return .send(result(pending, JSON.Object()))
    case "tools/list": return .listTools(pending)
    case "tools/call": return try call(pending, parameters)
    default:
      throw MCPError(
        .unknownMethod,
        "The server has no method \(Escaped.quoted(method.cut(toScalars: 80))).",
        id: id)
    }
  }

  private func notification(_ method: String, _ parameters: JSON.Object) -> Action? {
    switch method {
    case "notifications/cancelled": parameters["requestId"].map { .cancel(id: $0) }
    default: nil
    }
  }

  /// The revision that a request names decides; without one, what `initialize` fixed.
  private func dialect(of parameters: JSON.Object, _ id: JSON) throws(MCPError) -> Dialect {
    guard let named = parameters["_meta"]?[Self.revisionKey] else {
      guard hasInitialized else {
        throw MCPError(
          .invalidRequest,
          "The first request is 'initialize', or names a protocol version in _meta.", id: id)
      }
      return .handshake
    }
    if named.string == Self.perRequestRevision { return .perRequest }
    throw MCPError(
      .unsupportedVersion, "The server does not speak this version of the protocol.", id: id,
      data: ["supported": [.string(Self.perRequestRevision)], "requested": named])
  }

  private func call(_ pending: Pending, _ parameters: JSON.Object) throws(MCPError) -> Action {
    guard let name = parameters["name"]?.string else {
      throw MCPError(.invalidParameters, "tools/call needs the name of a tool.", id: pending.id)
    }
    switch parameters["arguments"] {
    case nil, .null: return .call(pending, tool: name, arguments: JSON.Object())
    case .object(let arguments): return .call(pending, tool: name, arguments: arguments)
    case .bool, .number, .string, .array:
      throw MCPError(.invalidParameters, "arguments is not an object.", id: pending.id)
    }
  }
}

// MARK: - Replies

extension MCPSession {
  /// Writes the result of a request.
  func result(_ pending: Pending, _ members: JSON.Object) -> JSON {
    guard pending.dialect == .perRequest else { return Self.envelope(pending.id, members) }
    var members = members
    members["resultType"] = "complete"
    members["_meta"] = .object([Self.serverKey: Self.server])
    return Self.envelope(pending.id, members)
  }

  /// Writes the list of tools.
  func tools(_ pending: Pending, _ tools: [JSON]) -> JSON {
    var members: JSON.Object = ["tools": .array(tools)]
    // Which tools can work changes with the daemon's hosts, so the list must not be cached.
    if pending.dialect == .perRequest { Self.forbidCaching(&members) }
    return result(pending, members)
  }

  /// Writes what a tool answered.
  func answer(_ pending: Pending, _ text: String, isError: Bool) -> JSON {
    result(
      pending,
      ["content": [["type": "text", "text": .string(text)]], "isError": .bool(isError)])
  }

  /// Reports that other tools can work now. Only clients of the older generation are notified.
  static let toolsChanged: JSON = [
    "jsonrpc": "2.0", "method": "notifications/tools/list_changed",
  ]

  private static func envelope(_ id: JSON, _ members: JSON.Object) -> JSON {
    ["jsonrpc": "2.0", "id": id, "result": .object(members)]
  }

  private func initialized(_ parameters: JSON.Object) -> JSON.Object {
    let requested = parameters["protocolVersion"]?.string ?? ""
    let revision =
      Self.handshakeRevisions.contains(requested) ? requested : Self.handshakeRevisions[0]
    return [
      "protocolVersion": .string(revision), "capabilities": ["tools": ["listChanged": true]],
      "serverInfo": Self.server, "instructions": .string(instructions),
    ]
  }

  private var discovered: JSON.Object {
    var members: JSON.Object = [
      "supportedVersions": [.string(Self.perRequestRevision)],
      "capabilities": ["tools": [:]], "instructions": .string(instructions),
    ]
    Self.forbidCaching(&members)
    return members
  }

  private static func forbidCaching(_ members: inout JSON.Object) {
    members["ttlMs"] = 0
    members["cacheScope"] = "private"
  }

  private static var server: JSON {
    ["name": "stateline", "version": .string(ProductVersion.current)]
  }
}
