import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

/// Serves one editor: requests in, responses and events out, one request after the other.
actor DAPServer {
  /// How many requests are read before their turn; the editor waits to send more.
  private static let maximumUnanswered = 64

  private let open: DAPSession.Open
  private let write: @Sendable ([UInt8]) -> Void
  private var session: DAPSession?
  private var client = DAPClient()
  private var lastSeq: Int64 = 0
  /// The requests without a response, the oldest first.
  private var unanswered: [Task<Void, Never>] = []
  /// The searches for breakpoints that go on.
  private var searches: [DAPBreakpoints.Group: Task<Void, Never>] = [:]
  /// Counts how often everything was ended: what began before must change nothing afterward.
  private var endings = 0

  /// - Parameters:
  ///   - open: opens the recording that an editor launches.
  ///   - write: receives each message, with its headers.
  init(open: @escaping DAPSession.Open, write: @escaping @Sendable ([UInt8]) -> Void) {
    self.open = open
    self.write = write
  }

  /// Serves until the editor disconnects, or its messages end.
  ///
  /// Requests are read before their turn, so that `disconnect` and `terminate` need not wait for one
  /// that takes long.
  func serve(_ next: @Sendable () async throws -> [UInt8]?) async throws {
    defer { endEverything() }
    let end = await messages(next)
    await unanswered.last?.value
    try end.get()
  }

  /// Receives messages until the last one, or until what follows cannot be understood.
  private func messages(
    _ next: @Sendable () async throws -> [UInt8]?
  ) async -> Result<Void, any Error> {
    do {
      while let bytes = try await next() {
        guard let request = DAPRequest(reading: bytes) else { continue }
        if request.endsOthers {
          endEverything()
          guard await handle(request) else { break }
          continue
        }
        if unanswered.count >= Self.maximumUnanswered { await unanswered.first?.value }
        enqueue(request)
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Handles a request after those before it.
  private func enqueue(_ request: DAPRequest) {
    let (last, endings) = (unanswered.last, endings)
    unanswered.append(
      Task {
        await last?.value
        _ = await self.handle(request)
        if endings == self.endings { self.unanswered.removeFirst() }
      })
  }

  private func endEverything() {
    endings += 1
    for request in unanswered { request.cancel() }
    unanswered = []
    endSearches()
  }

  private func endSearches() {
    for search in searches.values { search.cancel() }
    searches = [:]
  }

  /// Answers a request; returns false once the editor has disconnected.
  private func handle(_ request: DAPRequest) async -> Bool {
    do {
      try Task.checkCancellation()
      let reply = try await answer(request)
      try Task.checkCancellation()
      respond(request, success: true, body: reply.body)
      for (name, body) in reply.events {
        send(["type": "event", "event": .string(name)], body: body)
      }
      if let search = reply.search { begin(search) }
      return !reply.isLast
    } catch {
      // The protocol's word for a request that another one ended.
      let text = Task.isCancelled ? "cancelled" : "\(error)".cut(toScalars: 2_000)
      respond(
        request, success: false, message: text,
        body: ["error": ["id": 1, "format": .string(Self.replacingBraces(text)), "showUser": true]])
      return true
    }
  }

  /// Searches for breakpoints, in place of those that they replace.
  private func begin(_ search: DAPBreakpointSearch) {
    searches.removeValue(forKey: search.group)?.cancel()
    guard !search.wanted.isEmpty else { return }
    searches[search.group] = Task {
      await search.run { await self.report($0) }
    }
  }

  /// Reports what became of a breakpoint, unless its search was ended.
  private func report(_ breakpoint: JSON) {
    guard !Task.isCancelled else { return }
    send(
      ["type": "event", "event": "breakpoint"],
      body: ["reason": "changed", "breakpoint": breakpoint])
  }

  private func answer(_ request: DAPRequest) async throws -> DAPReply {
    let endings = self.endings
    switch request.command {
    case "initialize":
      client = DAPClient(request)
      return DAPReply(body: DAPCapabilities.body, events: [])
    case "launch", "attach":
      endSearches()
      let launched = try await DAPSession(request, client, open: open)
      if endings == self.endings { session = launched }
      return DAPReply(events: [("initialized", [:])])
    case "disconnect", "terminate":
      return DAPReply(events: [("terminated", [:])], isLast: request.command == "disconnect")
    default:
      guard var session else {
        throw DAPError("Nothing is launched yet, so '\(request.command)' has no answer.")
      }
      defer { if endings == self.endings { self.session = session } }
      return try await session.answer(request)
    }
  }

  private func respond(
    _ request: DAPRequest, success: Bool, message: String? = nil, body: JSON.Object?
  ) {
    var response: JSON.Object = [
      "type": "response", "request_seq": .number(JSON.Number(request.seq)),
      "success": .bool(success), "command": .string(request.command),
    ]
    response["message"] = message.map { .string($0) }
    send(response, body: body)
  }

  private func send(_ message: JSON.Object, body: JSON.Object?) {
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

/// The numbers of an editor's first line and first column.
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
