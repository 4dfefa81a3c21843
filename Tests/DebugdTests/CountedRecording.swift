import DebugServer
import JSONCore
import Predicates
import Synchronization
import Timelines
import Wire

/// Machines of one process, whose searches count the entries that they look at.
final class CountedRecording: Backend {
  private let count: Int64
  private let summaries: [ToInspector.TimelineSummary]
  /// The events other than `x`.
  private let events: [Int64: String]
  private let looked = Mutex<Int64>(0)

  static func timeline(_ machine: Int) -> TimelineID {
    TimelineID("6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f\(machine)") ?? .zero
  }

  init(entries: Int64, machines: Int = 1, events: [Int64: String] = [:]) throws {
    count = entries
    self.events = events
    summaries = try (0..<machines).map { machine in
      let header = try JSONSlice(
        validating: Array(
          #"""
          {"timeline":"\#(Self.timeline(machine).text)","app":{"name":"test","pid":7},\#
          "machine":{"type":"Coin","name":"coin\#(machine)"},"started":"2026-05-01T08:00:00Z","format":1}
          """#.utf8))
      return ToInspector.TimelineSummary {
        $0.header = header
        $0.first = 0
        $0.last = entries - 1
      }
    }
  }

  /// The entries that searches looked at.
  var searched: Int64 { looked.withLock { $0 } }

  func restart() { looked.withLock { $0 = 0 } }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    switch request {
    case .timelines:
      return .message(.timelines(ToInspector.Timelines { $0.timelines = summaries }))
    case .find(let find):
      return .message(.find(ToInspector.Find { $0.seqs = first(find).map { [$0] } ?? [] }))
    default: throw .unexpected("\(request)")
    }
  }

  private func first(_ find: FromInspector.Find) -> Int64? {
    let isBackward = find.direction == .backward
    for seq in stride(from: find.from, through: isBackward ? 0 : count - 1, by: isBackward ? -1 : 1)
    {
      looked.withLock { $0 += 1 }
      let line = #"{"seq":\#(seq),"t":0,"event":"\#(events[seq] ?? "x")","patch":[]}"#
      if let entry = try? JSONSlice(validating: Array(line.utf8)),
        find.predicate.evaluate(EntrySubject(entry: entry)) == .yes
      {
        return seq
      }
    }
    return nil
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { $0.finish() } }

  func close() async {}
}
