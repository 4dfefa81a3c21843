import JSONCore
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Limits of what-if branches")
struct WhatIfLimitTests {
  private static let machine = BranchedMachine.all[0]

  /// Lends branches around entries of a recording of 12 events to a closure.
  private func with(
    _ body: (_ whatIf: (Int64, WhatIfLimits) async throws -> WhatIf) async throws -> Void
  ) async throws {
    try await BranchWorld.with(FakeHosts([Self.machine.replay])) { world in
      let recording = try BranchedRecording.make(Self.machine, count: 12, seed: 1, isEven: true)
      try await world.record(recording)
      let service = RerunService(store: world.store, hosts: world.hosts) {
        try await world.branches.fork($0)
      }
      try await body { seq, limits in
        try await service.whatIf(
          recording.header.timeline, around: seq, failure: nil, limits: limits
        ) { _ in }
      }
    }
  }

  private static func limits(_ change: (inout WhatIfLimits) -> Void) -> WhatIfLimits {
    var limits = WhatIfLimits()
    change(&limits)
    return limits
  }

  private static func bytes(of whatIf: WhatIf) -> Int {
    whatIf.branches.reduce(0) { sum, branch in
      branch.entries.reduce(sum) { $0 + $1.line.range.count }
    }
  }

  private static func edits(of whatIf: WhatIf) -> [[UInt8]?] {
    whatIf.branches.map { $0.header.parent?.edits.text }
  }

  @Test("the bytes of all branches together are limited, and the nearest edits come first")
  func bytes() async throws {
    try await with { whatIf in
      // Twice as much, because durations in entries differ from run to run.
      let all = try await whatIf(1, WhatIfLimits())
      let bytes = Self.bytes(of: all)
      #expect(bytes > 0)
      #expect(!all.isCut)
      #expect(try await !whatIf(1, Self.limits { $0.bytes = bytes * 2 }).isCut)
      let cut = try await whatIf(1, Self.limits { $0.bytes = bytes / 2 })
      #expect(cut.isCut)
      #expect(Self.bytes(of: cut) <= bytes / 2)
      #expect(cut.branches.count > 1)
      #expect(Self.edits(of: cut) == Array(Self.edits(of: all).prefix(cut.branches.count)))
    }
  }

  @Test("a file for which every branch is too large is refused")
  func refused() async throws {
    try await with { whatIf in
      let refusal = try await #require(throws: Refusal.self) {
        _ = try await whatIf(1, Self.limits { $0.bytes = 0 })
      }
      #expect(refusal.reply.code == .limit)
      #expect(
        refusal.reply.message
          == "The results of edits around entry 1 are too large for a file. To fix, export it without them."
      )
    }
  }

  @Test("a branch whose events do not fit in one message is left out, and later ones are not")
  func events() async throws {
    try await with { whatIf in
      let all = try await whatIf(1, WhatIfLimits())
      let found = try await whatIf(1, Self.limits { $0.requestBytes = 300 })
      #expect(found.isCut)
      #expect(!found.branches.isEmpty)
      let (some, every) = (Set(Self.edits(of: found)), Set(Self.edits(of: all)))
      #expect(some.isStrictSubset(of: every))
      #expect(found.branches.allSatisfy { $0.entries.count < 11 })
    }
  }

  @Test("branches end some entries after the one around which they are")
  func followers() async throws {
    try await with { whatIf in
      for followers: Int64 in 0...11 {
        let found = try await whatIf(1, Self.limits { $0.followers = followers })
        #expect(found.window == 1...(1 + followers))
        let last = found.branches.compactMap(\.entries.last?.seq).max()
        // An inserted event makes a branch longer by one entry.
        #expect(last == 1 + followers + 1)
      }
    }
  }
}
