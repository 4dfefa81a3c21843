import TestSupport
import Testing

@testable import Simulation

/// The program: it replaces how tasks run, so that it needs a process of its own.
struct SimulateTests {
  private func trace(_ seed: Int) throws -> [String] {
    let process = try ChildProcess(
      ChildProcess.built("simulate"), ["--seed", "\(seed)", "--trace"])
    _ = process.line(beginning: "seed ")
    #expect(process.end() == 0)
    return process.lines
  }

  @Test("the same seed runs the same way", arguments: [3, 8])
  func sameSeed(_ seed: Int) throws {
    let first = try trace(seed)
    #expect(first.count > 20)
    #expect(try trace(seed) == first)
  }

  @Test("a plan follows from its seed")
  func plan() {
    #expect(Plan(seed: 7).lines == Plan(seed: 7).lines)
    #expect(Set((1...20).map { Plan(seed: $0).lines.joined() }).count == 20)
  }

  @Test("what is due runs in the order of time, and of its making")
  func order() {
    let scheduler = Scheduler()
    var ran: [Int] = []
    scheduler.after(20) { ran.append(3) }
    scheduler.after(10) {
      ran.append(1)
      scheduler.soon { ran.append(2) }
    }
    scheduler.after(20) { ran.append(4) }
    scheduler.after(31) { ran.append(5) }
    scheduler.run(until: 30)
    #expect(ran == [1, 2, 3, 4])
    #expect(scheduler.now == 30)
  }
}
