import Foundation
import JSONCore
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import Reruns

@Suite("The failure that a branch was minimized to")
struct FailureCheckTests {
  /// Doors whose total never falls below zero.
  private static let fixed = FunctionMachine(initial: FunctionMachine.doors.initial) {
    state, event in
    guard let after = FunctionMachine.doors.reduce(state, event), case .object(var members) = after
    else { return nil }
    if (members["total"]?.int ?? 0) < 0 { members["total"] = 0 }
    return .object(members)
  }

  /// Doors that die of every payment.
  private static let dying = FunctionMachine(initial: FunctionMachine.doors.initial) {
    state, event in
    event["paid"] == nil ? FunctionMachine.doors.reduce(state, event) : nil
  }

  private func verdict(
    _ entries: [Entry], failure: String? = "state.total < 0", on machine: FunctionMachine,
    _ change: (inout FromInspector.Verify) -> Void = { _ in }
  ) async throws -> FailureVerdict? {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    let parent = failure.map {
      #""parent":{"timeline":"11111111-2222-4333-8444-555555555555","through":9,"start":0,"#
        + #""edits":[],"failure":"\#($0)"},"#
    }
    let header = try Header(
      reading: """
        {"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","app":{"name":"Doors"},"machine":\
        {"type":"Doors","name":"doors","make":"Doors()"},"started":"2026-05-01T08:00:00Z",\
        \(parent ?? "")"format":1}
        """)
    var file = store.makeImport()
    try await file.add(Array(header.line.bytes) + [UInt8(ascii: "\n")])
    for entry in entries { try await file.add(Array(entry.line.bytes) + [UInt8(ascii: "\n")]) }
    _ = try await file.finish()
    let proofs = RerunService(store: store, hosts: FunctionHosts(machine)) { _ in
      throw Refusal(.failed, "No branch is made.")
    }
    var asked = FromInspector.Verify { $0.timeline = header.timeline }
    change(&asked)
    let verdict = try await proofs.checkFailure(asked)
    await store.close()
    return verdict
  }

  private static let recorded = [Doors.opened("a"), Doors.paid(5), Doors.paid(-9), Doors.looked]

  @Test("fails while it happens, at the first entry at which it does")
  func stillHappens() async throws {
    let entries = try Doors.recording(Self.recorded)
    let verdict = try await verdict(entries, on: .doors)
    #expect(verdict?.outcome == .fails(at: 3))
    #expect(verdict?.entries == 3)
  }

  @Test("passes once it is fixed, although the recorded values differ")
  func isFixed() async throws {
    let entries = try Doors.recording(Self.recorded)
    let verdict = try await verdict(entries, on: Self.fixed)
    #expect(verdict?.outcome == .passes)
    #expect(verdict?.entries == 4)
  }

  @Test("is searched for only in the requested stretch")
  func stretch() async throws {
    let entries = try Doors.recording(Self.recorded + [Doors.paid(20), Doors.looked])
    let behind = try await verdict(entries, on: .doors) { $0.from = 5 }
    #expect(behind?.outcome == .passes)
    let before = try await verdict(entries, on: .doors) { $0.to = 2 }
    #expect(before?.outcome == .passes)
  }

  @Test("a run that dies fails, too")
  func traps() async throws {
    let entries = try Doors.recording(Self.recorded)
    let verdict = try await verdict(entries, on: Self.dying)
    #expect(verdict?.outcome == .fails(at: 2))
    #expect(verdict?.message?.contains("trapped") == true)
  }

  @Test("a redacted value decides nothing")
  func redacted() async throws {
    let entries = try Doors.recording(Self.recorded).map { entry in
      var draft = EntryDraft(entry)
      draft.redacted = [Redaction(try Pointer("/state/total"))]
      return try draft.entry()
    }
    let verdict = try await verdict(entries, on: .doors)
    #expect(verdict?.outcome == .inconclusive)
  }

  @Test("other timelines are not judged by one")
  func noFailure() async throws {
    let entries = try Doors.recording(Self.recorded)
    #expect(try await verdict(entries, failure: nil, on: .doors) == nil)
  }
}
