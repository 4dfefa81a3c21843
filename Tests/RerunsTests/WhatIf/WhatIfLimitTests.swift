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

  @Test("the bytes of all branches together are limited, and a later entry is suggested")
  func bytes() async throws {
    try await with { whatIf in
      // Twice as much, because durations in entries differ from run to run.
      let all = Self.bytes(of: try await whatIf(1, WhatIfLimits()))
      #expect(all > 0)
      _ = try await whatIf(1, Self.limits { $0.bytes = all * 2 })
      let refusal = try await #require(throws: Refusal.self) {
        _ = try await whatIf(1, Self.limits { $0.bytes = all / 2 })
      }
      #expect(refusal.reply.code == .limit)
      #expect(refusal.reply.message.hasSuffix("To fix, choose a later entry with --around."))
    }
  }

  @Test("the events of a branch fit in one message, or a later entry is suggested")
  func events() async throws {
    try await with { whatIf in
      let refusal = try await #require(throws: Refusal.self) {
        _ = try await whatIf(1, Self.limits { $0.requestBytes = 300 })
      }
      #expect(refusal.reply.code == .limit)
      #expect(
        refusal.reply.message
          == """
          The events after entry 0 are too long for branches in a file. To fix, choose a later entry \
          with --around.
          """)
      // What is suggested works: branches that begin later have fewer events.
      _ = try await whatIf(
        1,
        Self.limits {
          $0.requestBytes = 300
          $0.followers = 0
        })
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
