import JSONCore

/// A message of a client of the Model Context Protocol: one line of JSON-RPC.
enum MCPMessage: Sendable {
  case request(id: JSON, method: String, parameters: JSON.Object)
  case notification(method: String, parameters: JSON.Object)
  /// A reply to a request. The server sends none, so there is nothing to do.
  case reply

  /// The longest line that is read. Edit scripts are the largest arguments, and fit many times.
  static let maximumBytes = 4 << 20

  init(reading line: [UInt8]) throws(MCPError) {
    guard let value = try? JSON(parsing: line) else {
      throw MCPError(.parse, "The line is not valid JSON.")
    }
    guard case .object(let object) = value, object["jsonrpc"] == "2.0" else {
      throw MCPError(.invalidRequest, "The line is not a JSON-RPC 2.0 message.")
    }
    guard let method = object["method"] else {
      guard object["result"] != nil || object["error"] != nil else {
        throw MCPError(.invalidRequest, "The message has no method.")
      }
      self = .reply
      return
    }
    let id = try Self.id(in: object)
    guard let name = method.string else {
      throw MCPError(.invalidRequest, "The method is not a string.", id: id ?? .null)
    }
    let parameters = try Self.parameters(in: object, id)
    self =
      id.map { .request(id: $0, method: name, parameters: parameters) }
      ?? .notification(method: name, parameters: parameters)
  }

  private static func id(in object: JSON.Object) throws(MCPError) -> JSON? {
    switch object["id"] {
    case nil: nil
    case .string(let text): .string(text)
    case .number(let number): .number(number)
    case .null, .bool, .array, .object:
      throw MCPError(.invalidRequest, "The id is neither a string nor a number.")
    }
  }

  private static func parameters(
    in object: JSON.Object, _ id: JSON?
  ) throws(MCPError) -> JSON.Object {
    switch object["params"] {
    case nil: JSON.Object()
    case .object(let parameters): parameters
    case .null, .bool, .number, .string, .array:
      throw MCPError(.invalidParameters, "params is not an object.", id: id ?? .null)
    }
  }
}

/// Why a message is refused.
struct MCPError: Error, Sendable {
  /// The codes of JSON-RPC and of the Model Context Protocol.
  enum Code: Int64, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case unsupportedVersion = -32022
  }

  let code: Code
  let message: String
  /// The id of the request; null where the line has none that can be read.
  var id = JSON.null
  /// Facts for the client's code.
  var data: JSON?

  init(_ code: Code, _ message: String, id: JSON = .null, data: JSON? = nil) {
    (self.code, self.message, self.id, self.data) = (code, message, id, data)
  }

  var reply: JSON {
    var error: JSON.Object = [
      "code": .number(JSON.Number(code.rawValue)), "message": .string(message),
    ]
    error["data"] = data
    return ["jsonrpc": "2.0", "id": id, "error": .object(error)]
  }
}
