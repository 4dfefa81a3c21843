import JSONCore
import Synchronization
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

/// What a store has that took a patch which does not apply, in files that are made in one piece.
@Suite("Exports of entries with wrong patches")
struct WrongPatchExportTests {
  private static let lines = [
    #"{"seq":0,"t":0,"state":{"n":0}}"#,
    #"{"seq":1,"t":1,"event":{"add":{}},"patch":[{"op":"replace","path":"/n","value":1}]}"#,
    #"{"seq":2,"t":2,"event":{"add":{}},"patch":[{"op":"replace","path":"/nix","value":1}]}"#,
    #"{"seq":3,"t":3,"event":{"add":{}},"patch":[{"op":"replace","path":"/n","value":3}]}"#,
    #"{"seq":4,"t":4,"event":{"add":{}},"state":{"n":9},"patch":[{"op":"replace","path":"/n","value":9}]}"#,
    #"{"seq":5,"t":5,"event":{"add":{}},"patch":[{"op":"replace","path":"/n","value":5}]}"#,
  ]

  /// The exported files, and the note of the last part.
  private func export(
    _ lines: [String] = Self.lines, as format: ExportFormat, from: Int64? = nil, to: Int64? = nil
  ) async throws -> (text: String, note: String?) {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    var options = StoreOptions()
    // Without room for the states that patches are checked against.
    options.shapeBytes = 0
    let store = try Store(folder: folder, indexer: TimelineIndexer(), options: options)
    let header = try Header(
      reading: """
        {"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","app":{"name":"Counter"},"machine":\
        {"type":"Counter","name":"counter","kind":"states","make":"Counter.self"},\
        "started":"2026-05-01T08:00:00Z","format":1}
        """)
    _ = try await store.open(header)
    // One by one: the entries of a batch are checked while it is taken, whatever is kept of it.
    for line in lines {
      let entry = try Entry(reading: Array(line.utf8))
      _ = try await store.append(AppendBatch(header.timeline, [entry]))
    }
    let queries = QueryService(
      store: store, uploads: Uploads(store: store, limits: ServerLimits()), branches: nil,
      limits: ServerLimits())
    let asked = FromInspector.Export {
      $0.timeline = header.timeline
      $0.format = format
      $0.from = from
      $0.to = to
    }
    let parts = Mutex<[ToInspector.Export]>([])
    let last = try await queries.export(asked) { message in
      if case .export(let part) = message { parts.withLock { $0.append(part) } }
    }
    await store.close()
    let bytes = (parts.withLock { $0 } + [last]).flatMap { Base64.decode($0.data) ?? [] }
    return (String(decoding: bytes, as: UTF8.self), last.note)
  }

  @Test("a file for Redux DevTools has every action, and null for unknown states")
  func redux() async throws {
    let (text, note) = try await export(as: .redux)
    let file = try JSON(parsing: text)
    #expect(file["nextActionId"] == 6)
    let states = try #require(file["computedStates"]?.array).map { $0["state"]?["n"]?.int }
    #expect(states == [0, 1, nil, nil, 9, 5])
    #expect(
      note == """
        The recorder sent a patch that does not apply: entry 2: the patch does not apply: \
        operation 0 at "/nix": the path does not exist. The states of 2 entries are not in the \
        file, up to the next keyframe; the events are.
        """)
  }

  @Test("tests and fixtures have every event", arguments: [ExportFormat.swiftTesting, .fixture])
  func tests(format: ExportFormat) async throws {
    let (text, note) = try await export(as: format)
    #expect(note?.contains("entry 2") == true)
    let planted = format == .fixture ? #""seq":3"# : "send(recorded:"
    #expect(text.contains(planted), "\(text)")
  }

  @Test("a stretch that begins with the wrong patch is exported, too")
  func stretch() async throws {
    let (text, note) = try await export(as: .redux, from: 2)
    let states = try #require(JSON(parsing: text)["computedStates"]?.array)
    #expect(states.map { $0["state"]?["n"]?.int } == [nil, nil, 9, 5])
    #expect(note?.contains("2 entries") == true)
  }

  @Test("nothing is noted where nothing is missing")
  func whole() async throws {
    #expect(try await export(as: .redux, to: 1).note == nil)
    #expect(try await export(as: .redux, from: 4).note == nil)
  }
}
