import DebugServer
import Foundation
import JSONCore
import Synchronization
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("An export that an agent reads")
struct ExportedFileTests {
  private func files(
    of exporter: Exporter, limit: Int
  ) async throws -> [ExportedFile] {
    try await ExportedFile.files(
      of: FromInspector.Export(), from: exporter, limit: limit, command: "debugd export")
  }

  @Test("is the parts of each file, in order")
  func parts() async throws {
    let exporter = Exporter(parts: 5, bytes: 100)
    let files = try await files(of: exporter, limit: 500)
    #expect(files.map(\.name) == ["a", "b"])
    #expect(files.map(\.bytes.count) == [400, 100])
  }

  @Test("ends at the limit instead of being collected")
  func limit() async throws {
    let exporter = Exporter(parts: 100_000, bytes: 100)
    let error = await #expect(throws: ToolError.self) { try await files(of: exporter, limit: 499) }
    #expect(
      error?.description == "The fixture is too large for a reply. Write it with: debugd export")
    #expect(exporter.sent < 100_000)
  }

  @Test("is too large if only its last part is")
  func lastPart() async throws {
    let exporter = Exporter(parts: 5, bytes: 100)
    await #expect(throws: ToolError.self) { try await files(of: exporter, limit: 499) }
  }
}

/// Sends parts until the request is canceled: all but the last one for the file `a`.
private final class Exporter: Backend {
  private let parts: Int
  private let data: String
  private let count = Mutex(0)

  init(parts: Int, bytes: Int) {
    self.parts = parts
    data = Data(repeating: 7, count: bytes).base64EncodedString()
  }

  /// How many parts were sent.
  var sent: Int { count.withLock { $0 } }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    for _ in 1..<parts {
      if Task.isCancelled { throw .disconnected("it was canceled.") }
      count.withLock { $0 += 1 }
      await each(.export(part("a", more: true)))
      await Task.yield()
    }
    count.withLock { $0 += 1 }
    return .message(.export(part("b", more: false)))
  }

  private func part(_ name: String, more: Bool) -> ToInspector.Export {
    ToInspector.Export {
      $0.name = name
      $0.data = data
      $0.more = more
    }
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { $0.finish() } }

  func close() async {}
}
