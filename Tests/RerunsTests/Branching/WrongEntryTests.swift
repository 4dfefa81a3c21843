import JSONCore
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

@Suite("A host that answers an entry that the store refuses")
struct WrongEntryTests {
  private static let machine = BranchedMachine.all[0]

  @Test(
    "ends the branch before it, and says why", .timeLimit(.minutes(10)),
    arguments: [(5, 9), (5, 19)] as [(Int64, Int64)])
  func wrongPatch(dropped: Int64, wrong: Int64) async throws {
    try await BranchWorld.with(FakeHosts([Self.machine.replay])) { world in
      let recording = try BranchedRecording.make(Self.machine, count: 21, seed: 1, isEven: true)
      try await world.record(recording)
      world.hosts.onAnswer { _, reduced in
        var changed = reduced
        changed.entries = try reduced.entries.map { entry in
          guard entry["seq"]?.int == wrong, case .object(var members) = entry.value else {
            return entry
          }
          members["patch"] = [["op": "replace", "path": "/state/nowhere/at/all", "value": 1]]
          return try JSONSlice(validating: JSON.object(members).encoded())
        }
        return changed
      }
      let branch = try await world.fork(recording.header.timeline, #"[{"drop":\#(dropped)}]"#)
      let progress = await world.finished(branch)
      let record = try await world.record(of: branch)
      #expect(record.ended == .failed)
      #expect(record.last == wrong - 1)
      let message = progress?.message ?? ""
      #expect(
        message.hasPrefix(
          "The host answered an entry that cannot be stored: entry \(wrong): the patch"))
      let advice = "To fix, have it answer with entries as the protocol describes them."
      #expect(message.hasSuffix(advice))
    }
  }
}
