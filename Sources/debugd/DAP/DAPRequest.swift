import JSONCore

struct DAPRequest: Sendable {
  let seq: Int64
  let command: String
  let arguments: JSON.Object

  /// Reads a message; `nil` for anything but a request.
  init?(reading bytes: [UInt8]) {
    guard case .object(let message)? = try? JSON(parsing: bytes), message["type"] == "request",
      let seq = message["seq"]?.int, let command = message["command"]?.string
    else { return nil }
    self.seq = seq
    self.command = command
    arguments = message["arguments"]?.object ?? [:]
  }

  /// Whether it ends the requests before it that have no response yet.
  var endsOthers: Bool { command == "disconnect" || command == "terminate" }

  func text(_ name: String) -> String? { arguments[name]?.string }

  func number(_ name: String) -> Int64? { arguments[name]?.int }

  func flag(_ name: String) -> Bool? {
    switch arguments[name] {
    case .bool(let flag)?: flag
    case .null?, .number?, .string?, .array?, .object?, nil: nil
    }
  }

  func list(_ name: String) -> [JSON.Object] {
    arguments[name]?.array?.compactMap(\.object) ?? []
  }

  func texts(_ name: String) -> [String] {
    arguments[name]?.array?.compactMap(\.string) ?? []
  }
}

/// Why a request has no answer, in a sentence that the editor shows.
struct DAPError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What a request leads to: the body of its response, then events.
struct DAPReply: Sendable {
  var body: JSON.Object?
  var events: [(name: String, body: JSON.Object)] = []
  /// What goes on after the response.
  var search: DAPBreakpointSearch?
  /// Whether the adapter ends afterward.
  var isLast = false
}
