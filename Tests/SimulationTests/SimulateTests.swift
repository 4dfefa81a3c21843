import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

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

  // A fork and a deletion at once; retention while the daemon is frozen, twice; a disk that fails
  // while a recorder opens its timeline.
  @Test("seeds that once broke a rule pass", arguments: [7814, 2664, 8317, 9451])
  func correctedSeed(_ seed: Int) throws {
    let process = try ChildProcess(ChildProcess.built("simulate"), ["--seed", "\(seed)"])
    #expect(process.end() == 0, "\(process.lines.prefix(3))")
  }

  @Test("the filter that repeats a seed is its number alone")
  func repetition() {
    #expect(
      SimulateCommand.repetition(of: 42) == [
        "again: 42", "To repeat it, run: scripts/simulate --seed 42 --trace",
      ])
  }

  @Test("a file names the seed that ran last")
  func lastSeed() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("seed")
    let process = try ChildProcess(
      ChildProcess.built("simulate"),
      ["--seeds", "2", "--first", "3", "--step", "5", "--note", file])
    #expect(process.end() == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "8\n")
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

  @Test("what is due at random times runs as a sorted list would", arguments: 1...20)
  func randomTimes(_ seed: UInt64) {
    var chance = Chance(seed: seed, "times")
    let scheduler = Scheduler()
    var planned: [(time: Int64, number: Int)] = []
    var ran: [Int] = []
    for number in 0..<chance.pick(1...60) {
      let time = Int64(chance.pick(0...20))
      planned.append((time, number))
      scheduler.after(time) { ran.append(number) }
    }
    scheduler.run(until: 20)
    let sorted = planned.sorted { ($0.time, $0.number) < ($1.time, $1.number) }
    #expect(ran == sorted.map(\.number))
  }

  @Test("work that lets no time pass ends")
  func stuck() {
    let scheduler = Scheduler()
    func again() { scheduler.soon { again() } }
    again()
    scheduler.run(until: 1)
    #expect(scheduler.isStuck)
  }

  @Test("an inspector that shows entries knows what it lacks, and what was never made")
  func shownEntries() throws {
    let book = TimelineBook(.zero, owner: "test")
    book.add(nil, ModelState())
    book.add(.add(1), ModelState())
    var shown = ShownEntries()
    func entry(_ text: String) throws -> JSONSlice { try JSONSlice(validating: Array(text.utf8)) }
    #expect(shown.add([try entry(#"{"seq":0,"t":0}"#)], of: book) == nil)
    shown.complete(through: 0)
    #expect(shown.add([try entry(#"{"seq":1,"t":0,"event":{"add":2}}"#)], of: book) == 1)
    #expect(shown.add([try entry(#"{"seq":2,"t":0,"event":{"add":1}}"#)], of: book) == 2)
    #expect(shown.seqs == [0, 1, 2])
    #expect(shown.through == 0)
  }
}
