import JSONCore
import Synchronization
import TestSupport
import Testing
import Timelines
import Wire

@testable import DebugServer

@Suite("Copies between daemons that misbehave")
struct ForeignDaemonCopyTests {
  @Test("do not end a copy whose source sends fewer entries than it announced")
  func incomplete() async throws {
    let id = TimelineID.random()
    let source = ScriptedSource(id, chunks: [])
    let target = ScriptedTarget()
    let error = await #expect(throws: BackendError.self) {
      try await TimelineCopier(from: source, to: target).copy(id)
    }
    #expect(error?.description.contains("no chunks before entry 5") == true)
    #expect(target.asked == ["offer"])
  }

  @Test("begin a chunk again whose parts the target has dropped")
  func droppedParts() async throws {
    let id = TimelineID.random()
    let source = ScriptedSource(id, chunks: Self.parts)
    let target = ScriptedTarget(conflictsAt: [1])
    try await TimelineCopier(from: source, to: target).copy(id)
    #expect(target.offsets == [0, 3, 0, 3])
  }

  @Test("give up when the target drops the parts repeatedly, or refuses a first part")
  func droppedAlways() async throws {
    let id = TimelineID.random()
    for conflicts in [Set((0..<100).filter { $0 % 2 == 1 }), [0]] {
      let source = ScriptedSource(id, chunks: Self.parts)
      let target = ScriptedTarget(conflictsAt: conflicts)
      let error = await #expect(throws: BackendError.self) {
        try await TimelineCopier(from: source, to: target).copy(id)
      }
      #expect(error?.description.contains("it is not here") == true)
      #expect(target.offsets.count == (conflicts == [0] ? 1 : 18))
      #expect(!target.asked.contains("finish"))
    }
  }

  /// A chunk of 6 bytes in two parts.
  private static let parts = [Int64(0), 3].map { offset in
    CopiedChunk {
      ($0.first, $0.last, $0.bytes) = (0, 5, 9)
      ($0.size, $0.offset, $0.data) = (6, offset, "AAAA")
    }
  }
}

/// Announces the entries 0 to 5 of a closed timeline, and sends these parts.
private struct ScriptedSource: Backend {
  let id: TimelineID
  let chunks: [CopiedChunk]

  init(_ id: TimelineID, chunks: [CopiedChunk]) {
    (self.id, self.chunks) = (id, chunks)
  }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    if case .fetch(let fetch) = request {
      return .message(
        .fetch(
          ToInspector.Fetch {
            $0.chunks = chunks.filter { $0.offset == fetch.offset ?? 0 }
          }))
    }
    let header =
      #"{"timeline":"\#(id)","app":{"name":"A"},"machine":{"type":"A","name":"a"},"#
      + #""started":"2026-05-01T08:00:00Z","format":1}"#
    guard case .manifest = request, let slice = try? JSONSlice(validating: Array(header.utf8))
    else { throw .unexpected("another request") }
    return .message(
      .manifest(
        ToInspector.Manifest {
          ($0.header, $0.first, $0.last, $0.closed) = (slice, 0, 5, true)
        }))
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { nil } }

  func close() async {}
}

/// Accepts everything, except some deposits.
private final class ScriptedTarget: Backend {
  private let conflicts: Set<Int>
  private let state = Mutex((asked: [String](), offsets: [Int64]()))

  init(conflictsAt conflicts: Set<Int> = []) {
    self.conflicts = conflicts
  }

  var asked: [String] { state.withLock { $0.asked } }
  var offsets: [Int64] { state.withLock { $0.offsets } }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    state.withLock { $0.asked.append(type(of: request.message).type) }
    switch request {
    case .offer: return .message(.offer(ToInspector.Offer()))
    case .deposit(let deposit):
      let number = state.withLock { state in
        state.offsets += deposit.chunks.map { $0.offset ?? 0 }
        return state.offsets.count - 1
      }
      guard !conflicts.contains(number) else {
        throw .refused(Refusal(.conflict, "it is not here").reply)
      }
      return .message(.done(ToInspector.Done()))
    case .finish: return .message(.done(ToInspector.Done()))
    default: throw .unexpected("another request")
    }
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { nil } }

  func close() async {}
}
