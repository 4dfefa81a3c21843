import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

@Suite("Requests to delete the oldest")
struct PruneTests {
  @Test("that come while a file is imported say what to do, and work afterward")
  func whileImporting() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    let queries = QueryService(
      store: store, uploads: Uploads(store: store, limits: ServerLimits()), branches: nil,
      limits: ServerLimits())
    var file = store.makeImport()
    let header =
      #"{"timeline":"\#(Say.timeline)","app":{"name":"a"},"machine":{"type":"b","name":"b"},"#
      + #""started":"2026-05-01T08:00:00Z","format":1}"#
    try await file.add(Array("\(header)\n{\"seq\":0,\"t\":0,\"state\":{}}\n".utf8))
    let asked = FromInspector.Prune { $0.bytes = 0 }
    let early = try await queries.prune(asked, live: { [] })
    #expect(early.deleted.isEmpty)
    #expect(
      early.sentences == [
        "The limit of 0 bytes waits: something is still being removed or imported.",
        "To apply it, prune again when that is done.",
      ])
    _ = try await file.finish()
    let late = try await queries.prune(asked, live: { [] })
    #expect(late.deleted == [Say.id] && late.sentences.count == 1)
    await store.close()
  }
}
