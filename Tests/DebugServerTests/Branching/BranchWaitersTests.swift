import TestSupport
import Testing

@testable import DebugServer

@Suite("Those who wait for entries of a branch")
struct BranchWaitersTests {
  /// What a job is to them: it knows how far it is, and lets go whose entry is there.
  private actor Progress {
    private let waiters = BranchWaiters()
    private var last: Int64 = 0

    func untilThere(_ seq: Int64) async {
      while last < seq { await waiters.wait(upTo: seq) }
    }

    func advance() {
      last += 1
      waiters.release(upTo: last)
    }
  }

  @Test("are let go, whenever the entry comes: also between the look and the wait")
  func letGo() async {
    let progress = Progress()
    for seq in Int64(1)...20_000 {
      async let waiting: Void = progress.untilThere(seq)
      async let advancing: Void = progress.advance()
      _ = await (waiting, advancing)
    }
  }
}
