import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

@Suite("Chunks that arrive in parts")
struct DepositTests {
  private static func part(_ offset: Int64, _ bytes: [UInt8], size: Int64 = 4) -> CopiedChunk {
    CopiedChunk {
      $0.first = 3
      $0.last = 5
      $0.bytes = 100
      $0.size = size
      $0.offset = offset
      $0.data = Base64.encode(bytes)
    }
  }

  @Test("are complete when all bytes are there, and begin again at any time")
  func parts() async throws {
    let deposits = Deposits()
    #expect(try await deposits.add(Self.part(0, [9, 9, 9]), of: .zero) == nil)
    #expect(try await deposits.add(Self.part(0, [1, 2]), of: .zero) == nil)
    #expect(try await deposits.add(Self.part(2, [3]), of: .zero) == nil)
    let run = try await deposits.add(Self.part(3, [4]), of: .zero)
    #expect(run == PackedRun(first: 3, last: 5, bytes: 100, frame: [1, 2, 3, 4]))
  }

  @Test("are dropped when their connection has ended, and arrive no more afterwards")
  func drops() async throws {
    let deposits = Deposits()
    _ = try await deposits.add(Self.part(0, [1, 2]), of: .zero)
    #expect(await deposits.unfinished == [.zero])
    await deposits.drop(.zero)
    #expect(await deposits.unfinished.isEmpty)
    let (never, continuation) = AsyncStream.makeStream(of: Void.self)
    let late = Task {
      // It ends when the task is canceled.
      for await _ in never {}
      return try await deposits.add(Self.part(0, [1, 2]), of: .zero)
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { _ = try await late.value }
    continuation.finish()
    #expect(await deposits.unfinished.isEmpty)
  }

  @Test("that do not continue the chunk are refused with what to do")
  func gaps() async throws {
    for wrong in [
      Self.part(3, [4]), Self.part(2, [4], size: 5),
      CopiedChunk {
        $0 = Self.part(2, [4])
        $0.first = 4
      },
    ] {
      let deposits = Deposits()
      _ = try await deposits.add(Self.part(0, [1, 2]), of: .zero)
      let error = await #expect(throws: Refusal.self) { try await deposits.add(wrong, of: .zero) }
      let offset = wrong.offset ?? 0
      #expect(
        error?.reply.message
          == "The chunk does not continue at \(offset). To fix, begin it again.")
    }
  }

  @Test("have a limited number, beyond which the oldest is dropped")
  func count() async throws {
    let deposits = Deposits()
    let timelines = (0..<260).map { _ in TimelineID.random() }
    for timeline in timelines { _ = try await deposits.add(Self.part(0, [1]), of: timeline) }
    #expect(await deposits.unfinished == Set(timelines.suffix(256)))
  }

  @Test("that exceed their announced length, or any length, are refused")
  func lengths() async throws {
    let deposits = Deposits()
    for part in [
      Self.part(0, [1, 2, 3, 4, 5]), Self.part(0, []), Self.part(0, [1], size: 1 << 40),
      CopiedChunk { $0.data = "?" },
    ] {
      await #expect(throws: Refusal.self) { try await deposits.add(part, of: .zero) }
    }
  }

  @Test("are refused while a recorder writes the timeline, and a branch that is being computed is")
  func busy() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    let limits = ServerLimits()
    let queries = QueryService(
      store: store, uploads: Uploads(store: store, limits: limits), limits: limits)
    let deposit = FromInspector.Deposit { $0.timeline = Say.id }
    let live = await queries.answer(
      .request(.deposit(deposit)), live: { [Say.id] }, report: { _ in })
    #expect(
      Self.message(live) == """
        A recorder is writing the timeline \(Say.id) to that daemon. To fix, push it once the \
        recorder has ended it.
        """)
    let branch = TimelineID.random()
    var fields = Header.Fields(
      timeline: Say.id, app: Header.App(name: "A"), machine: Header.Machine(type: "A", name: "a"),
      started: Timestamp(microseconds: 0))
    _ = try await store.open(try Header(fields))
    fields.timeline = branch
    fields.parent = Header.Parent(
      timeline: Say.id, through: 0, start: 0, edits: EditScript([]))
    _ = try await store.createBranch(try Header(fields), computing: 5)
    let manifest = FromInspector.Manifest { $0.timeline = branch }
    let computing = await queries.answer(.request(.manifest(manifest)), report: { _ in })
    #expect(
      Self.message(computing) == """
        The branch \(branch) is not computed yet. To fix, try again once it is; only a running \
        daemon computes it.
        """)
    await store.close()
  }

  private static func message(_ result: QueryResult) -> String? {
    if case .refused(let refusal) = result { refusal.reply.message } else { nil }
  }
}
