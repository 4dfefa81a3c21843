import Synchronization
import Testing

@testable import TimelineStore

@Suite("Keeping a lease")
struct LeaseKeeperTests {
  @Test("it is renewed at once, and then after each third of its length")
  func renewsInTime() {
    let (lease, runner) = (ScriptedLease(), VirtualRunner())
    let keeper = LeaseKeeper(lease, runner: runner, now: { runner.now })
    runner.run(through: 30_000)
    #expect(runner.times == [0, 10_000, 20_000, 30_000])
    keeper.release()
    runner.run(through: 60_000)
    #expect(lease.renewals == 4)
    #expect(lease.releases == 1)
  }

  @Test("while the database does not answer, it is tried again, and nothing is reported")
  func triesAgain() {
    let (lease, runner) = (ScriptedLease(), VirtualRunner())
    let keeper = LeaseKeeper(lease, runner: runner, now: { runner.now })
    let news = News(of: keeper)
    lease.answer(.failure(StoreError(.server(.disconnected(doing: "connecting", message: "no")))))
    runner.run(through: 100_000)
    #expect(news.items.isEmpty)
    #expect(keeper.durability == nil)
    lease.answer(.success(.oneMachine))
    runner.run(through: 110_000)
    #expect(news.items == [.durability(.oneMachine)])
  }

  @Test("a changed durability is reported once; what came before there was an observer as well")
  func reportsDurability() {
    let (lease, runner) = (ScriptedLease(), VirtualRunner())
    let keeper = LeaseKeeper(lease, runner: runner, now: { runner.now })
    runner.run(through: 10_000)
    let news = News(of: keeper)
    lease.answer(.success(.twoMachines))
    runner.run(through: 40_000)
    #expect(news.items == [.durability(.oneMachine), .durability(.twoMachines)])
    #expect(keeper.durability == .twoMachines)
  }

  @Test("the time of the last renewal stays while the database does not answer")
  func remembersRenewal() {
    let (lease, runner) = (ScriptedLease(), VirtualRunner())
    let keeper = LeaseKeeper(lease, runner: runner, now: { runner.now })
    #expect(keeper.renewed == nil)
    runner.run(through: 10_000)
    lease.answer(.failure(StoreError(.server(.disconnected(doing: "connecting", message: "no")))))
    runner.run(through: 40_000)
    #expect(keeper.renewed == 10_000_000)
    lease.answer(.success(.oneMachine))
    runner.run(through: 50_000)
    #expect(keeper.renewed == 50_000_000)
  }

  @Test("a lost lease is reported once, and neither renewed nor ended after that")
  func reportsLoss() {
    let (lease, runner) = (ScriptedLease(), VirtualRunner())
    let keeper = LeaseKeeper(lease, runner: runner, now: { runner.now })
    let news = News(of: keeper)
    lease.answer(.failure(StoreError(.server(.leaseLost))))
    runner.run(through: 50_000)
    keeper.lose()
    keeper.release()
    #expect(news.items == [.lost])
    #expect(lease.renewals == 1)
    #expect(lease.releases == 0)
  }
}

/// A lease that answers as a test says.
private final class ScriptedLease: DatabaseLease {
  private struct State {
    var answer = Result<Durability, StoreError>.success(.oneMachine)
    var renewals = 0
    var releases = 0
  }

  private let state = Mutex(State())
  let milliseconds = 30_000

  var source: any RowSource { SQLiteSource(path: "", disk: SystemDisk()) }

  var renewals: Int { state.withLock { $0.renewals } }
  var releases: Int { state.withLock { $0.releases } }

  func answer(_ answer: Result<Durability, StoreError>) { state.withLock { $0.answer = answer } }

  func renew() throws(StoreError) -> Durability {
    let answer = state.withLock { state in
      state.renewals += 1
      return state.answer
    }
    return try answer.get()
  }

  func release() { state.withLock { $0.releases += 1 } }
}

/// What a keeper reports.
private final class News: Sendable {
  private let list = Mutex<[LeaseNews]>([])

  init(of keeper: LeaseKeeper) {
    keeper.observe { [weak self] item in self?.list.withLock { $0.append(item) } }
  }

  var items: [LeaseNews] { list.withLock { $0 } }
}

/// Runs work on a virtual clock.
private final class VirtualRunner: StoreRunner {
  private struct State {
    var now = 0
    var work: [(time: Int, body: @Sendable () -> Void)] = []
    var times: [Int] = []
  }

  private let state = Mutex(State())

  /// When work was run.
  var times: [Int] { state.withLock { $0.times } }

  /// In microseconds.
  var now: Int64 { Int64(state.withLock { $0.now }) * 1_000 }

  func run(on queue: String, _ work: @escaping @Sendable () -> Void) {
    run(on: queue, after: .zero, work)
  }

  func run(on queue: String, after time: Duration, _ work: @escaping @Sendable () -> Void) {
    let milliseconds = Int(time / .milliseconds(1))
    state.withLock { $0.work.append(($0.now + milliseconds, work)) }
  }

  /// Runs what is due up to a time in milliseconds.
  func run(through end: Int) {
    while let body = next(end) { body() }
    state.withLock { $0.now = end }
  }

  private func next(_ end: Int) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard let index = state.work.indices.min(by: { state.work[$0].time < state.work[$1].time }),
        state.work[index].time <= end
      else { return nil }
      let due = state.work.remove(at: index)
      state.now = due.time
      state.times.append(due.time)
      return due.body
    }
  }
}
