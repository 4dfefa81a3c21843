import DebugServer
import Foundation
import JSONCore
import Predicates
import TestSupport
import Testing
import Timelines
import WebSockets
import Wire

@Suite("A daemon over real sockets", .serialized)
struct LiveServerTests {
  @Test("records, is asked, ends, starts again and knows everything still")
  func recordAndRestart() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    try await LiveDaemon.with(data: folder) { running, _ in
      let socket = try #require(running.socket)
      let (recorder, end) = try await LivePeer.connect(to: .unix(path: socket), as: "recorder.v1")
      #expect(end == nil)
      await recorder.send(#"{"type":"hello","version":"1.0"}"#)
      #expect(await recorder.heard()?["type"] == "welcome")
      await recorder.send(Say.open())
      await recorder.send(Say.append(Say.entries(0...99)))
      #expect(await recorder.heard("ack")?["durable"] == 99)

      let backend = try await SocketBackend.connect(to: socket)
      try await expectEverything(backend, isLive: true)
      await backend.close()
      await recorder.close()
    }
    try await LiveDaemon.with(data: folder) { running, configuration in
      let backend = try await Backends.open(configuration)
      try await expectEverything(backend, isLive: false)
      await backend.close()
      let (recorder, _) = try await LivePeer.connect(
        to: .unix(path: try #require(running.socket)), as: "recorder.v1")
      await recorder.send(
        #"{"type":"hello","version":"1.0","timelines":["\#(Say.timeline)"]}"#)
      #expect(await recorder.heard()?["durable"]?[Say.timeline] == 99)
      await recorder.send(Say.open())
      #expect(await recorder.heard("ack")?["durable"] == 99)
      await recorder.send(Say.append(Say.entries(90...120)))
      #expect(await recorder.heard("ack")?["durable"] == 120)
      await recorder.close()
    }
    // Without a daemon the same questions go to the store.
    var configuration = ServerConfiguration(data: folder)
    configuration.socket = folder + "/run/recorder.sock"
    let backend = try await Backends.open(configuration)
    try await expectEverything(backend, isLive: false)
    await backend.close()
  }

  /// Asks all look-ups whose answers the first hundred entries tell.
  private func expectEverything(_ backend: any Backend, isLive: Bool) async throws {
    guard
      case .message(.timelines(let list)) = try await backend.ask(
        .timelines(FromInspector.Timelines()))
    else { throw CancellationError() }
    #expect(list.timelines.count == 1)
    #expect(list.timelines.first?.live == isLive)
    let last = try #require(list.timelines.first?.last)
    #expect(last >= 99)

    let window = FromInspector.Entries {
      $0.timeline = Say.id
      $0.from = 10
      $0.count = 5
    }
    guard case .message(.entries(let entries)) = try await backend.ask(.entries(window)) else {
      throw CancellationError()
    }
    #expect(entries.entries.map { $0["seq"]?.int } == [10, 11, 12, 13, 14])
    #expect(entries.next == 15)

    let state = FromInspector.State {
      $0.timeline = Say.id
      $0.seq = 42
      $0.path = Pointer(tokens: ["state", "n"])
    }
    guard case .message(.state(let value)) = try await backend.ask(.state(state)) else {
      throw CancellationError()
    }
    #expect(value.value?.int == 42)

    let raw = FromInspector.Raw {
      $0.timeline = Say.id
      $0.seq = 7
    }
    guard case .message(.raw(let line)) = try await backend.ask(.raw(raw)) else {
      throw CancellationError()
    }
    #expect(line.entry.text == Say.entry(7))

    let diff = FromInspector.Diff {
      $0.a = EntryReference(timeline: Say.id, seq: 3)
      $0.b = EntryReference(timeline: Say.id, seq: 5)
    }
    guard case .message(.diff(let patch)) = try await backend.ask(.diff(diff)) else {
      throw CancellationError()
    }
    #expect(patch.patch.text == #"[{"op":"replace","path":"/state/n","value":5}]"#)

    let changes = FromInspector.Changes {
      $0.timeline = Say.id
      $0.path = Pointer(tokens: ["state", "n"])
      $0.before = 50
      $0.limit = 2
    }
    guard case .message(.changes(let changed)) = try await backend.ask(.changes(changes)) else {
      throw CancellationError()
    }
    #expect(changed.changes.map(\.seq) == [49, 48])
    #expect(changed.more)

    let predicate = try Predicates.Predicate("state.n == 60 || state.n == 61")
    let find = FromInspector.Find {
      $0.timeline = Say.id
      $0.predicate = predicate
      $0.limit = 2
    }
    guard case .message(.find(let found)) = try await backend.ask(.find(find)) else {
      throw CancellationError()
    }
    #expect(found.seqs == [60, 61])

    let column = FromInspector.Column {
      $0.timeline = Say.id
      $0.paths = [Pointer(tokens: ["state", "n"])]
      $0.from = 20
      $0.count = 3
    }
    guard case .message(.column(let values)) = try await backend.ask(.column(column)) else {
      throw CancellationError()
    }
    #expect(values.columns.first?.text == "[20,21,22]")

    let overview = FromInspector.Overview {
      $0.timeline = Say.id
      $0.to = 99
      $0.buckets = 4
    }
    guard case .overview(let frame) = try await backend.ask(.overview(overview)) else {
      throw CancellationError()
    }
    #expect(frame.columns[OverviewColumn.entries.rawValue] == [25, 25, 25, 25])

    let refusal = await backend.refusal(of: .raw(FromInspector.Raw { $0.timeline = .random() }))
    #expect(refusal?.code == .notFound)
    #expect(refusal?.path == "timeline")
  }

  @Test("notifies watchers of new entries, also through a filter")
  func watch() async throws {
    try await LiveDaemon.with { running, _ in
      let socket = try #require(running.socket)
      let (recorder, _) = try await LivePeer.connect(to: .unix(path: socket), as: "recorder.v1")
      await recorder.send(#"{"type":"hello","version":"1.0"}"#)
      let backend = try await SocketBackend.connect(to: socket)
      _ = try await backend.ask(.watch(FromInspector.Watch()))
      var news = await backend.news().makeAsyncIterator()
      await recorder.send(Say.open())
      guard case .timeline(let reported)? = await news.next() else { throw CancellationError() }
      #expect(reported.timeline.live)
      await recorder.send(Say.append(Say.entries(0...3)))
      _ = await recorder.heard("ack")
      let filter = try Predicates.Predicate("state.n == 6")
      let watch = FromInspector.Watch {
        $0.timeline = Say.id
        $0.filter = filter
      }
      guard case .message(.done(let done)) = try await backend.ask(.watch(watch)) else {
        throw CancellationError()
      }
      #expect(done.seq == 3)
      await recorder.send(Say.append(Say.entries(4...9)))
      var entries: [Int64?] = []
      var last: Int64 = 0
      while last < 9, let next = await news.next() {
        guard case .live(let live) = next else { continue }
        entries += live.entries.map { $0["seq"]?.int }
        last = live.last
      }
      #expect(entries == [6])
      await backend.close()
      await recorder.close()
    }
  }

  @Test("imports what it exported, part by part")
  func files() async throws {
    var parts: [UInt8] = []
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    try await LiveDaemon.with(data: folder) { running, configuration in
      let (recorder, _) = try await LivePeer.connect(
        to: .unix(path: try #require(running.socket)), as: "recorder.v1")
      await recorder.send(#"{"type":"hello","version":"1.0"}"#)
      await recorder.send(Say.open())
      await recorder.send(Say.append(Say.entries(0...99)))
      _ = await recorder.heard("ack")
      await recorder.close()
      let backend = try await Backends.open(configuration)
      let export = FromInspector.Export { $0.timeline = Say.id }
      guard case .message(.export(let file)) = try await backend.ask(.export(export)) else {
        throw CancellationError()
      }
      parts = Array(Data(base64Encoded: file.data) ?? Data())
      let lines = parts.split(separator: UInt8(ascii: "\n"))
      #expect(lines.count == 101)
      #expect(lines.last.map { String(decoding: $0, as: UTF8.self) } == Say.entry(99))
      _ = try await backend.ask(.delete(FromInspector.Delete { $0.timeline = Say.id }))
      await backend.close()
    }
    try await LiveDaemon.with { _, configuration in
      let backend = try await Backends.open(configuration)
      let begin = FromInspector.Import {
        $0.name = "../../etc/passwd"
        $0.bytes = Int64(parts.count)
      }
      guard case .message(.import(let upload)) = try await backend.ask(.import(begin)) else {
        throw CancellationError()
      }
      var imported: [TimelineID]?
      for start in stride(from: 0, to: parts.count, by: 1_000) {
        let end = min(start + 1_000, parts.count)
        let part = FromInspector.Part {
          $0.upload = upload.upload
          $0.offset = Int64(start)
          $0.data = Data(parts[start..<end]).base64EncodedString()
          $0.last = end == parts.count
        }
        guard case .message(.import(let answer)) = try await backend.ask(.part(part)) else {
          throw CancellationError()
        }
        imported = answer.timelines
      }
      #expect(imported == [Say.id])
      try await expectEverything(backend, isLive: false)
      await backend.close()
    }
  }

  @Test("a second daemon on the same data reports which process holds it")
  func held() async throws {
    try await LiveDaemon.with { _, configuration in
      let error = await Self.startError(configuration)
      let pid = ProcessInfo.processInfo.processIdentifier
      #expect(error?.description.contains("process \(pid)") == true)
    }
  }

  /// Why a daemon does not start.
  private static func startError(_ configuration: ServerConfiguration) async -> ServerError? {
    do {
      try await Server(configuration).run()
      return nil
    } catch {
      return error as? ServerError
    }
  }

  @Test("a port in use and a place without TLS are reported in a sentence")
  func places() async throws {
    try await LiveDaemon.with { running, _ in
      let folder = try TemporaryFolder.make()
      defer { TemporaryFolder.remove(folder) }
      var other = ServerConfiguration(data: folder)
      other.places = running.places
      guard case .listen? = await Self.startError(other)?.reason else {
        Issue.record("the port is in use")
        return
      }
      other.places = [ServerConfiguration.Place(host: "0.0.0.0", port: 0)]
      #expect(await Self.startError(other)?.reason == .insecure("0.0.0.0:0"))
    }
  }
}

extension Backend {
  /// What a question is refused with.
  func refusal(of request: FromInspector) async -> ErrorReply? {
    do {
      _ = try await ask(request)
      return nil
    } catch {
      guard case .refused(let reply) = error else { return nil }
      return reply
    }
  }
}
