import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

/// Serves one editor: requests in, responses and events out, one request after the other.
struct DAPServer {
  private let open: DAPSession.Open
  private let write: @Sendable ([UInt8]) -> Void
  private var session: DAPSession?
  private var client = DAPClient()
  private var lastSeq: Int64 = 0

  /// - Parameters:
  ///   - open: opens the recording that an editor launches.
  ///   - write: receives each message, with its headers.
  init(open: @escaping DAPSession.Open, write: @escaping @Sendable ([UInt8]) -> Void) {
    self.open = open
    self.write = write
  }

  /// Handles a message; returns false once the editor has disconnected.
  mutating func receive(_ bytes: [UInt8]) async -> Bool {
    guard let request = DAPRequest(reading: bytes) else { return true }
    do {
      let reply = try await answer(request)
      respond(request, success: true, body: reply.body)
      for (name, body) in reply.events {
        send(["type": "event", "event": .string(name)], body: body)
      }
      return !reply.isLast
    } catch {
      let text = "\(error)".cut(toScalars: 2_000)
      respond(
        request, success: false, message: text,
        body: ["error": ["id": 1, "format": .string(Self.replacingBraces(text)), "showUser": true]])
      return true
    }
  }

  private mutating func answer(_ request: DAPRequest) async throws -> DAPReply {
    switch request.command {
    case "initialize":
      client = DAPClient(request)
      return DAPReply(body: DAPCapabilities.body, events: [])
    case "launch", "attach":
      session = try await DAPSession(request, client, open: open)
      return DAPReply(events: [("initialized", [:])])
    case "disconnect", "terminate":
      return DAPReply(events: [("terminated", [:])], isLast: request.command == "disconnect")
    default:
      guard var session else {
        throw DAPError("Nothing is launched yet, so '\(request.command)' has no answer.")
      }
      defer { self.session = session }
      return try await session.answer(request)
    }
  }

  private mutating func respond(
    _ request: DAPRequest, success: Bool, message: String? = nil, body: JSON.Object?
  ) {
    var response: JSON.Object = [
      "type": "response", "request_seq": .number(JSON.Number(request.seq)),
      "success": .bool(success), "command": .string(request.command),
    ]
    response["message"] = message.map { .string($0) }
    send(response, body: body)
  }

  private mutating func send(_ message: JSON.Object, body: JSON.Object?) {
    lastSeq += 1
    var message = message
    message["seq"] = .number(JSON.Number(lastSeq))
    message["body"] = body.map { .object($0) }
    // An editor may show the text on a terminal.
    write(DAPFraming.frame(Escaped.json(JSON.object(message).encoded())))
  }

  /// Braces in a format are variables.
  private static func replacingBraces(_ text: String) -> String {
    String(text.map { $0 == "{" ? "(" : $0 == "}" ? ")" : $0 })
  }
}

/// How an editor counts.
struct DAPClient: Sendable {
  /// The number of the first line.
  var firstLine = 1
  /// The number of the first column.
  var firstColumn = 1

  init() {}

  init(_ request: DAPRequest) {
    firstLine = request.flag("linesStartAt1") == false ? 0 : 1
    firstColumn = request.flag("columnsStartAt1") == false ? 0 : 1
  }
}

/// What the adapter can do.
enum DAPCapabilities {
  static let body: JSON.Object = [
    "supportsConfigurationDoneRequest": true,
    "supportsStepBack": true,
    "supportsFunctionBreakpoints": true,
    "supportsConditionalBreakpoints": true,
    "supportsDataBreakpoints": true,
    "supportsEvaluateForHovers": true,
    "supportsExceptionInfoRequest": true,
    "supportsSetVariable": true,
    "supportsDelayedStackTraceLoading": true,
    "supportsTerminateRequest": true,
    "exceptionBreakpointFilters": .array(
      DAPExceptionFilter.allCases.map { filter in
        [
          "filter": .string(filter.rawValue), "label": .string(filter.label),
          "default": .bool(filter != .gap),
        ]
      }),
  ]
}

/// What an editor can stop at without a place.
enum DAPExceptionFilter: String, CaseIterable, Sendable {
  case error, trap, gap

  var label: String {
    switch self {
    case .error: "Errors"
    case .trap: "Traps"
    case .gap: "Gaps"
    }
  }

  var predicate: String {
    switch self {
    case .error: #"error != null && error != "trapped""#
    case .trap: #"error == "trapped""#
    case .gap: "gap != null"
    }
  }
}
