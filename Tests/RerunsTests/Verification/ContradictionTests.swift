import JSONCore
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("A host whose keyframe contradicts its patch")
struct ContradictionTests {
  @Test("is not taken for one that agrees, though the patch is the recorded one")
  func keyframe() async throws {
    let entries = try Doors.recording((1...40).map { Doors.paid(Int64($0)) })
    try await RerunWorld.run(entries, ContradictingHosts(at: 17)) { world in
      let answer = try await world.verify()
      #expect(answer.outcome == .differs)
      #expect(answer.seq == 17)
      #expect(answer.patch?.value.array?.first?["path"]?.string == "/state/total")
    }
    try await RerunWorld.run(entries, ContradictingHosts(at: 17, state: nil)) { world in
      // The state that the patch leads to, as a keyframe.
      let answer = try await world.verify()
      #expect(answer.outcome == .same)
    }
  }
}

/// Hosts that answer one entry as a keyframe, with the right patch.
private struct ContradictingHosts: ReducerHosts {
  private let seq: Int64
  private let state: JSON?

  /// - Parameter state: the keyframe's state; `nil` for the right one.
  init(at seq: Int64, state: JSON? = ["count": 17, "open": [], "total": 9_999]) {
    (self.seq, self.state) = (seq, state)
  }

  private final class Host: ReducerHosting {
    private let host = FunctionHost(.doors)
    private let seq: Int64
    private let state: JSON?
    var summary: ToInspector.HostSummary { host.summary }

    init(_ seq: Int64, _ state: JSON?) { (self.seq, self.state) = (seq, state) }

    func confirm(_ request: ToRecorder.Confirm) async throws -> FromRecorder.Confirmed? { nil }

    func reduce(
      _ request: ToRecorder.Reduce,
      part: @Sendable (FromRecorder.Reduced) async throws -> Void
    ) async throws {
      try await host.reduce(request) { [seq, state] reduced in
        var changed = reduced
        changed.entries = try reduced.entries.map { entry in
          guard entry["seq"]?.int == seq, case .object(var members) = entry.value else {
            return entry
          }
          // The right total is the sum of 1 to 17.
          members["state"] = state ?? ["count": 17, "open": [], "total": 153]
          return try JSONSlice(validating: JSON.object(members).encoded())
        }
        try await part(changed)
      }
    }
  }

  func host(for header: Header, named name: String?) async throws -> any ReducerHosting {
    Host(seq, state)
  }

  func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting {
    Host(seq, state)
  }
}
