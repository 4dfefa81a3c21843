import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

@Suite("Files that come in parts")
struct UploadTests {
  @Test("documents that are held in memory have a limit together, other files do not count")
  func documents() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    let uploads = Uploads(store: store, limits: ServerLimits())
    let most = ReceivedDocument.largest
    _ = try await uploads.begin(name: "a.timeline", bytes: most)
    let first = try await uploads.begin(name: "a.json", bytes: most / 2)
    _ = try await uploads.begin(name: "b.json", bytes: most / 2)
    let error = await #expect(throws: Refusal.self) {
      _ = try await uploads.begin(name: "c.json", bytes: 1)
    }
    #expect(error?.reply.code == .limit)
    #expect(error?.reply.message.hasSuffix("To fix, wait until the others have ended.") == true)
    await uploads.cancel(first)
    _ = try await uploads.begin(name: "c.json", bytes: 1)
    await store.close()
  }

  @Test("are limited in number, and one that has ended makes room for another")
  func number() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    let uploads = Uploads(store: store, limits: ServerLimits())
    let first = try await uploads.begin(name: "a.timeline", bytes: 10)
    for _ in 1..<16 { _ = try await uploads.begin(name: "a.timeline", bytes: 10) }
    let error = await #expect(throws: Refusal.self) {
      _ = try await uploads.begin(name: "a.timeline", bytes: 10)
    }
    #expect(
      error?.reply.message
        == "At most 16 files can be uploaded at once. To fix, wait until one is complete."
    )
    await uploads.cancel(first)
    _ = try await uploads.begin(name: "a.timeline", bytes: 10)
    await store.close()
  }

  @Test("only one at a time may have the longest lines")
  func longLines() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    var limits = ServerLimits()
    (limits.importLineBytes, limits.sharedImportLineBytes) = (10_000, 1_000)
    let uploads = Uploads(store: store, limits: limits)
    func upload(lineOf count: Int) async throws {
      let text = Self.file(stateOf: count)
      let name = try await uploads.begin(name: "a.timeline", bytes: Int64(text.count))
      _ = try await uploads.add(text, to: name, at: 0, isLast: true)
    }
    try await upload(lineOf: 9_000)
    await #expect(throws: (any Error).self) { try await upload(lineOf: 11_000) }
    let other = try await uploads.begin(name: "b.timeline", bytes: 10)
    try await upload(lineOf: 900)
    let error = await #expect(throws: StoreError.self) { try await upload(lineOf: 9_000) }
    #expect(error.map { "\($0)".contains("the line has more than 1000 bytes") } == true)
    await uploads.cancel(other)
    try await upload(lineOf: 9_000)
    await store.close()
  }

  /// A file with one entry, whose line has about so many bytes.
  private static func file(stateOf bytes: Int) -> [UInt8] {
    let text = String(repeating: "a", count: bytes - 100)
    let header = """
      {"timeline":"\(TimelineID.random().text)","app":{"name":"a"},\
      "machine":{"type":"b","name":"b"},"started":"2026-01-01T00:00:00Z","format":1}
      """
    return Array("\(header)\n{\"seq\":0,\"t\":0,\"state\":\"\(text)\"}\n".utf8)
  }
}
