import DebugServer
import Foundation
import JSONCore
import Testing
import Wire

@testable import debugd

/// Sends requests to an adapter in this process, which opens one recording.
struct DAPEditor {
  private let input: AsyncStream<[UInt8]>.Continuation
  private let output: AsyncStream<JSON>
  private let serving: Task<Void, any Error>
  private var seq: Int64 = 0
  /// The events that were read before the response that a test waited for.
  private(set) var events: [JSON] = []

  init(_ recording: any Backend) {
    let (lines, input) = AsyncStream.makeStream(of: [UInt8].self)
    let (messages, output) = AsyncStream.makeStream(of: JSON.self)
    self.input = input
    self.output = messages
    let server = DAPServer { _ in
      (try Self.inquiry(recording), CountedRecording.timeline(0))
    } write: { bytes in
      var framing = DAPFraming()
      for message in framing.messages(adding: bytes).messages {
        _ = (try? JSON(parsing: message)).map { output.yield($0) }
      }
    }
    serving = Task {
      defer { output.finish() }
      try await server.serve {
        for await line in lines { return line }
        return nil
      }
    }
  }

  private static func inquiry(_ recording: any Backend) throws -> Inquiry {
    let parser = ArgumentParser(commands: [.dap])
    guard case .run(let arguments) = try parser.parse(["dap"], environment: [:]) else {
      throw CommandError("The arguments are invalid.")
    }
    let quiet = Terminal(
      output: .nullDevice, errors: .nullDevice, isInteractive: false, hasColor: false, columns: nil)
    return Inquiry(asking: recording, arguments: arguments, terminal: quiet)
  }

  mutating func launch(seq: Int64) async throws {
    _ = try await ask("initialize")
    _ = try await ask("launch", ["timeline": "last", "seq": .number(JSON.Number(seq))])
  }

  /// The body of the response. Events that precede or follow it at once are in `events`.
  mutating func ask(_ command: String, _ arguments: JSON = [:]) async throws -> JSON {
    let response = await response(to: send(command, arguments))
    #expect(response["success"] == true)
    return response["body"] ?? [:]
  }

  /// Sends a request; returns its number.
  mutating func send(_ command: String, _ arguments: JSON = [:]) -> Int64 {
    seq += 1
    let request: JSON = [
      "type": "request", "seq": .number(JSON.Number(seq)), "command": .string(command),
      "arguments": arguments,
    ]
    input.yield(request.encoded())
    return seq
  }

  private func read() async -> JSON? {
    for await message in output { return message }
    return nil
  }

  mutating func response(to seq: Int64) async -> JSON {
    while let message = await read() {
      if message["request_seq"]?.int == seq { return message }
      events.append(message)
    }
    Issue.record("The adapter ended without a response.")
    return [:]
  }

  /// The body of the next event with a name that was not read yet.
  mutating func event(_ name: String) async -> JSON {
    while true {
      if let place = events.firstIndex(where: { $0["event"]?.string == name }) {
        return events.remove(at: place)["body"] ?? [:]
      }
      guard let message = await read() else {
        Issue.record("The adapter ended without the event.")
        return [:]
      }
      events.append(message)
    }
  }

  /// Sets breakpoints at events, and waits until all are searched for; returns what became of each.
  mutating func set(functions names: [String]) async throws -> [JSON] {
    let body = try await ask(
      "setFunctionBreakpoints", ["breakpoints": .array(names.map { ["name": .string($0)] })])
    var shown = body["breakpoints"]?.array ?? []
    while shown.contains(where: { $0["reason"] == "pending" }) {
      let changed = await event("breakpoint")["breakpoint"] ?? [:]
      let place = try #require(shown.firstIndex { $0["id"] == changed["id"] })
      shown[place] = changed
    }
    return shown
  }

  /// Waits until the adapter has ended.
  func end() async throws { try await serving.value }
}
