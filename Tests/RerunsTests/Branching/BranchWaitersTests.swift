import TestSupport
import Testing

@testable import Reruns

@Suite("Waiting for entries of a branch")
struct BranchWaitersTests {
  /// A stand-in for a job: it knows its last entry, and releases waiters.
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

  @Test("are released, even if the entry arrives between the check and the wait")
  func releases() async {
    let progress = Progress()
    for seq in Int64(1)...20_000 {
      async let waiting: Void = progress.untilThere(seq)
      async let advancing: Void = progress.advance()
      _ = await (waiting, advancing)
    }
  }
}
