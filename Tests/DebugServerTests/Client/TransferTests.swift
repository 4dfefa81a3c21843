import JSONCore
import Synchronization
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

@Suite("Transfers between daemons")
struct TransferTests {
  @Test(
    "that are cut at any message, before or after it arrives, are completed by the next connection",
    arguments: [true, false])
  func cuts(arrives: Bool) async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let source = try Self.store(folder + "/source")
    let ids = try await Self.record(into: source)
    var cut = 0
    var isCut = true
    while isCut {
      let target = try Self.store(folder + "/target-\(cut)")
      let network = Network(source, target, limits: Self.limits)
      network.cut(at: cut, arrives: arrives)
      try await network.transfer.run(ids) { _ in }
      isCut = network.wasCut
      try await Self.expectEqual(source, target, ids)
      network.reset()
      try await network.transfer.run(ids) { _ in }
      #expect(network.asked(of: .target) == ["offer", "offer"], "nothing is sent again")
      #expect(network.asked(of: .source).allSatisfy { $0 == "manifest" })
      await target.close()
      cut += 1
    }
    #expect(cut > 20, "every message was cut once")
    await source.close()
  }

  @Test("that are cut at every message still advance, a chunk at a time")
  func alwaysCut() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let source = try Self.store(folder + "/source")
    let target = try Self.store(folder + "/target")
    let ids = try await Self.record(into: source)
    // Sealed, so that there are many chunks.
    while try await source.read({ try $0.tailBytes(of: ids[1]) }) > 0 { await Task.yield() }
    let network = Network(source, target, limits: Self.limits(part: 300))
    network.cutAfterEachDeposit()
    try await network.transfer.run(ids) { _ in }
    try await Self.expectEqual(source, target, ids)
    #expect(network.connections > Transfer.attempts)
    await source.close()
    await target.close()
  }

  @Test("give up when no connection achieves anything, and at once at a wrong address")
  func givesUp() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let source = try Self.store(folder + "/source")
    let target = try Self.store(folder + "/target")
    let ids = try await Self.record(into: source)
    let network = Network(source, target, limits: Self.limits)
    network.cutEverything()
    await #expect(throws: BackendError.self) { try await network.transfer.run(ids) { _ in } }
    #expect(network.connections == Transfer.attempts)
    #expect(network.pauses == Array(1..<Transfer.attempts))
    let lost = Transfer {
      throw BackendError.disconnected("nothing listens there")
    } pause: { _ in
      Issue.record("it waits")
    }
    await #expect(throws: BackendError.self) { try await lost.run(ids) { _ in } }
    await source.close()
    await target.close()
  }

  @Test("refuse another timeline with the same id, and change nothing")
  func conflicts() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let source = try Self.store(folder + "/source")
    let target = try Self.store(folder + "/target")
    let base = try await Self.record(into: source)[1]
    let other = try Self.header(base, started: "2026-05-01T08:00:00Z")
    _ = try await target.open(other)
    _ = try await target.append(try Self.batch(base, 0..<40, word: "other"))
    try await target.end(base)
    let network = Network(source, target, limits: Self.limits)
    let error = await #expect(throws: CopyError.self) {
      try await network.transfer.run([base]) { _ in }
    }
    #expect(
      error?.description == """
        The timeline \(base) exists there with other entries, somewhere from 0 to 39. Nothing was \
        changed. To replace it, delete it there first: debugd delete \(base)
        """)
    #expect(!network.asked(of: .target).contains("deposit"))
    await source.close()
    await target.close()
  }

  @Test("refuse parents that lead back to the timeline")
  func circles() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let target = try Self.store(folder + "/target")
    let ids = [TimelineID.random(), TimelineID.random()]
    let source = ManifestSource { id in
      let other = id == ids[0] ? ids[1] : ids[0]
      return #"{"timeline":"\#(id)","app":{"name":"A"},"machine":{"type":"A","name":"a"},"#
        + #""started":"2026-05-01T08:00:00Z","parent":{"timeline":"\#(other)","through":1,"start":1,"#
        + #""edits":[]},"format":1}"#
    } _: {
      $0.shares = true
    }
    let copier = TimelineCopier(from: source, to: StoreBackend(target, limits: Self.limits))
    let error = await #expect(throws: CopyError.self) { try await copier.copy(ids[0]) }
    #expect(error?.description.contains("is a branch of itself") == true)
    await target.close()
  }

  @Test("refuse to continue a copy that ends before what retention has left of the original")
  func shortened() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let target = try Self.store(folder + "/target")
    let id = TimelineID.random()
    let header = try Self.header(id, started: "2026-05-01T08:00:00Z")
    _ = try await target.open(header)
    _ = try await target.append(try Self.batch(id, 0..<40))
    let line = header.line.text
    let source = ManifestSource { _ in
      line
    } _: {
      ($0.first, $0.last) = (50, 60)
    }
    let copier = TimelineCopier(from: source, to: StoreBackend(target, limits: Self.limits))
    let error = await #expect(throws: CopyError.self) { try await copier.copy(id) }
    #expect(
      error?.description == """
        The copy of \(id) ends at entry 39, and the entries up to 49 were deleted here, so it cannot \
        continue. To replace it, delete it there first: debugd delete \(id)
        """)
    await target.close()
  }

  // MARK: A source with everything that is copied

  /// A timeline with chunks, a chunk that exceeds a part, a tail, marks and a name; and a branch.
  private static func record(into store: Store) async throws -> [TimelineID] {
    let (base, branch) = (TimelineID.random(), TimelineID.random())
    _ = try await store.open(try header(base, started: "2026-05-01T08:00:00Z"))
    for start in stride(from: Int64(0), to: 120, by: 15) {
      _ = try await store.append(try batch(base, start..<start + 15))
    }
    _ = try await store.append(try batch(base, 120..<121, random: 9_000))
    _ = try await store.append(try batch(base, 121..<150))
    try await store.mark(base, at: 7, "here")
    try await store.rename(base, to: "the base")
    try await store.end(base, gap: Gap(lost: 3, why: "killed"))
    _ = try await store.createBranch(
      try header(branch, started: "2026-05-01T08:00:00Z", parent: (base, 60)))
    _ = try await store.append(try batch(branch, 60..<75))
    try await store.complete(branch, ended: .trap)
    return [branch, base]
  }

  private static func header(
    _ id: TimelineID, started: String, parent: (TimelineID, Int64)? = nil
  ) throws -> Header {
    var fields = Header.Fields(
      timeline: id, app: Header.App(name: "Transfer"),
      machine: Header.Machine(type: "Transfer.Machine", name: "machine"),
      started: try #require(Timestamp(started)))
    fields.parent = parent.map {
      Header.Parent(timeline: $0.0, through: 149, start: $0.1, edits: EditScript([]))
    }
    return try Header(fields)
  }

  /// Entries; the first one is a keyframe. `random` is the length of a text that does not compress.
  private static func batch(
    _ id: TimelineID, _ seqs: Range<Int64>, word: String = "tick", random: Int = 0
  ) throws -> AppendBatch {
    var generator = SeededGenerator(seed: 3)
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    let text = String((0..<random).map { _ in letters.randomElement(using: &generator) ?? "a" })
    let entries = try seqs.map { seq in
      let event = seq == 0 ? "" : #","event":{"\#(word)":"\#(text)\#(seq)"}"#
      let state = seq == seqs.lowerBound && random == 0 ? #","state":{"n":\#(seq)}"# : ""
      let patch = seq == 0 ? "" : #","patch":[{"op":"replace","path":"/n","value":\#(seq)}]"#
      return try Entry(reading: #"{"seq":\#(seq),"t":\#(seq)\#(event)\#(state)\#(patch)}"#)
    }
    return AppendBatch(id, entries)
  }

  private static let limits = limits(part: 1_500)

  private static func limits(part bytes: Int) -> ServerLimits {
    var limits = ServerLimits()
    limits.wire.partBytes = bytes
    return limits
  }

  private static func store(_ folder: String) throws -> Store {
    var options = StoreOptions()
    options.chunkBytes = 1 << 10
    options.sealedBytes = 2 << 10
    options.sealedMilliseconds = 2
    return try Store(folder: folder, indexer: TimelineIndexer(), options: options)
  }

  private static func expectEqual(
    _ source: Store, _ target: Store, _ ids: [TimelineID]
  ) async throws {
    for id in ids {
      let files = [try await file(of: id, in: source), try await file(of: id, in: target)]
      #expect(files[0] == files[1])
      let records = [
        try await source.read { try $0.timeline(id) },
        try await target.read { try $0.timeline(id) },
      ]
      #expect(records[0].marks == records[1].marks)
      #expect(records[0].name == records[1].name)
      #expect(records[0].isClosed == records[1].isClosed)
      #expect(records[0].lostAtEnd == records[1].lostAtEnd)
      #expect(records[0].ended == records[1].ended)
      #expect(records[0].parent?.id == records[1].parent?.id)
    }
    let report = try await target.check(thorough: true)
    #expect(report.findings.isEmpty)
  }

  private static func file(of id: TimelineID, in store: Store) async throws -> [UInt8] {
    var export = try await store.export(id, packed: false)
    var bytes: [UInt8] = []
    while let next = try await export.next() { bytes += next }
    return bytes
  }
}

/// Answers from a store, as a daemon does.
private final class StoreBackend: Backend {
  private let queries: QueryService

  init(_ store: Store, limits: ServerLimits) {
    queries = QueryService(
      store: store, uploads: Uploads(store: store, limits: limits), limits: limits)
  }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    switch await queries.answer(.request(request), report: { _ in }) {
    case .message(let message): return .message(message)
    case .refused(let refusal): throw .refused(refusal.reply)
    case .encoded, .overview, .summaries, .pruned, .deleted: throw .unexpected("another answer")
    }
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { nil } }

  func close() async {}
}

/// Two stores, and connections between them that break where a test wants.
private final class Network: Sendable {
  enum End { case source, target }

  private struct State {
    var count = 0
    var cutAt: Int?
    var arrives = false
    var wasCut = false
    var cutsDeposits = false
    /// Whether the next message is cut.
    var isDue = false
    var cutsAll = false
    var asked: [(end: End, type: String)] = []
    var connections = 0
    var pauses: [Int] = []
  }

  private let state = Mutex(State())
  private let source: StoreBackend
  private let target: StoreBackend

  init(_ source: Store, _ target: Store, limits: ServerLimits) {
    self.source = StoreBackend(source, limits: limits)
    self.target = StoreBackend(target, limits: limits)
  }

  var transfer: Transfer {
    Transfer {
      self.state.withLock { $0.connections += 1 }
      return Transfer.Ends(
        source: Connection(self, self.source, .source),
        target: Connection(self, self.target, .target))
    } pause: { attempt in
      self.state.withLock { $0.pauses.append(attempt) }
    }
  }

  func cut(at message: Int, arrives: Bool) {
    state.withLock { ($0.cutAt, $0.arrives) = (message, arrives) }
  }

  func cutAfterEachDeposit() { state.withLock { $0.cutsDeposits = true } }
  func cutEverything() { state.withLock { $0.cutsAll = true } }
  func reset() { state.withLock { $0 = State() } }

  var wasCut: Bool { state.withLock { $0.wasCut } }
  var connections: Int { state.withLock { $0.connections } }
  var pauses: [Int] { state.withLock { $0.pauses } }

  func asked(of end: End) -> [String] {
    state.withLock { state in state.asked.filter { $0.end == end }.map(\.type) }
  }

  /// Whether the connection breaks before and after a message.
  func cuts(_ request: FromInspector, at end: End) -> (before: Bool, after: Bool) {
    state.withLock { state in
      state.asked.append((end, type(of: request.message).type))
      let isCut = state.count == state.cutAt
      state.count += 1
      if isCut { state.wasCut = true }
      let isDue = state.isDue
      // A part of a chunk achieves nothing yet.
      state.isDue = state.cutsDeposits && request.completesChunks
      return (isCut && !state.arrives || state.cutsAll || isDue, isCut && state.arrives)
    }
  }
}

extension FromInspector {
  /// Whether it is a deposit after which the copy has more entries.
  fileprivate var completesChunks: Bool {
    guard case .deposit(let deposit) = self else { return false }
    return deposit.chunks.allSatisfy { ($0.offset ?? 0) + $0.dataBytes == $0.size ?? $0.dataBytes }
  }
}

private final class Connection: Backend {
  private let network: Network
  private let backend: StoreBackend
  private let end: Network.End

  init(_ network: Network, _ backend: StoreBackend, _ end: Network.End) {
    (self.network, self.backend, self.end) = (network, backend, end)
  }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    let cut = network.cuts(request, at: end)
    guard !cut.before else { throw .disconnected("cut before the message") }
    let answer = try await backend.ask(request, each: each)
    guard !cut.after else { throw .disconnected("cut before the answer") }
    return answer
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { nil } }

  func close() async {}
}

/// Answers `manifest` from a closure.
private final class ManifestSource: Backend {
  private let header: @Sendable (TimelineID) -> String
  private let fill: @Sendable (inout ToInspector.Manifest) -> Void

  init(
    header: @escaping @Sendable (TimelineID) -> String,
    _ fill: @escaping @Sendable (inout ToInspector.Manifest) -> Void
  ) {
    (self.header, self.fill) = (header, fill)
  }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    guard case .manifest(let asked) = request,
      let slice = try? JSONSlice(validating: Array(header(asked.timeline).utf8))
    else { throw .unexpected("another request") }
    var manifest = ToInspector.Manifest()
    manifest.header = slice
    fill(&manifest)
    return .message(.manifest(manifest))
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { nil } }

  func close() async {}
}
