import JSONCore
import Testing
import Timelines
import Wire

@testable import Reruns

/// What a host does wrong, if anything.
private enum Fault: Hashable {
  case none
  /// The reducer traps at an entry; a process that ends without a word only names the first entry of
  /// its request.
  case trap(at: Int64, isGuess: Bool)
  /// A step cannot be decoded.
  case undecodable(at: Int64)
  /// A request may have that many steps.
  case limit(Int64)
  /// A step exceeds the limits on its own.
  case tooLarge(at: Int64)
  /// It is killed from outside, during one request.
  case killed(request: Int)
  /// It omits an entry in some requests.
  case omits(Int64, requests: Range<Int>)
}

/// A host with one fault. It numbers its requests from 0.
private struct FaultyHost {
  let fault: Fault
  var requests = 0

  mutating func answer(_ request: ToRecorder.Reduce) throws -> FromRecorder.Reduced {
    defer { requests += 1 }
    let first = request.seq
    let all = first..<(first + Int64(request.steps.count) + (first == 0 ? 1 : 0))
    switch fault {
    case .none: return try answer(all)
    case .trap(let bad, let isGuess):
      guard all.contains(bad) else { return try answer(all) }
      if isGuess { return try answer(first..<first, .trap, at: first, isGuess: true) }
      return try answer(first..<bad, .trap, at: bad)
    case .undecodable(let bad):
      guard all.contains(bad) else { return try answer(all) }
      return try answer(first..<bad, .undecodable, at: bad)
    case .limit(let count):
      guard Int64(all.count) > count else { return try answer(all) }
      return try answer(first..<(first + count), .limit, at: first + count)
    case .tooLarge(let bad):
      guard all.contains(bad) else { return try answer(all) }
      return try answer(first..<bad, .limit, at: bad)
    case .killed(let number):
      guard requests == number else { return try answer(all) }
      return try answer(first..<first, .trap, at: first, isGuess: true)
    case .omits(let bad, let numbers):
      guard numbers.contains(requests), all.contains(bad) else { return try answer(all) }
      return try answer(first..<bad)
    }
  }

  private func answer(
    _ seqs: Range<Int64>, _ why: BranchEnd? = nil, at end: Int64 = 0, isGuess: Bool = false
  ) throws -> FromRecorder.Reduced {
    let entries = try seqs.map { try JSONSlice(validating: Array(Self.line($0).utf8)) }
    return FromRecorder.Reduced {
      $0.entries = entries
      $0.ended = why.map { why in
        EarlyEnd {
          $0.why = why
          $0.seq = end
          $0.guess = isGuess
        }
      }
    }
  }

  static func line(_ seq: Int64, was: Int64? = nil, t: Int64? = nil) -> String {
    seq == 0
      ? #"{"seq":0,"t":0,"state":{"n":0}}"#
      : #"{"seq":\#(seq),"t":\#(t ?? seq),"was":\#(was ?? seq),"event":{"add":{}},"#
        + #""patch":[{"op":"replace","path":"/n","value":\#(seq)}]}"#
  }
}

/// How a run ended.
private struct Ended: Equatable {
  var seqs: [Int64]
  var end: Int64?
  var isRefused = false
}

@Suite("The runner")
struct RunnerTests {
  private static let count: Int64 = 7

  private static func runner(from first: Int64, rule: Runner.Rule = .steps) -> Runner {
    var runner = Runner(make: "M.self", next: first, rule: rule)
    if first == 0 { runner.addFirst() }
    runner.add(
      (max(first, 1)...count).map { seq in
        Runner.Step(
          step: ToRecorder.ReduceStep {
            $0.was = seq
            $0.t = seq
            $0.event = try? JSONSlice(validating: Array(#"{"add":{}}"#.utf8))
          })
      })
    return runner
  }

  /// Performs what the runner asks for, without waiting.
  private static func run(_ runner: Runner, on host: inout FaultyHost) throws -> Ended {
    var runner = runner
    var seqs: [Int64] = []
    while runner.begin() {
      do {
        let received = runner.receive(try host.answer(runner.request()))
        seqs += received.entries.map(\.seq)
        if let problem = received.problem { throw problem }
        try runner.finish(by: "host")
      } catch is Refusal {
        guard runner.retryDelay() != nil else { return Ended(seqs: seqs, isRefused: true) }
      }
      if let end = runner.end() { return Ended(seqs: seqs, end: end.seq) }
    }
    return Ended(seqs: seqs)
  }

  /// What comes out, by the fault alone: every entry before one that the host never gets past.
  private static func expected(_ fault: Fault, from first: Int64) -> Ended {
    switch fault {
    case .none, .limit, .killed: return Ended(seqs: Array(first...count))
    case .trap(let bad, _), .undecodable(let bad), .tooLarge(let bad):
      guard (first...count).contains(bad) else { return Ended(seqs: Array(first...count)) }
      return Ended(seqs: Array(first..<bad), end: bad)
    case .omits(let bad, let requests):
      guard (first...count).contains(bad), requests.contains(3) else {
        return Ended(seqs: Array(first...count))
      }
      return Ended(seqs: Array(first..<bad), isRefused: true)
    }
  }

  private static let faults: [Fault] =
    [.none] + (0..<6).map { .killed(request: $0) } + (1...3).map { .limit($0) }
    + (0...count).flatMap { seq -> [Fault] in
      [
        .trap(at: seq, isGuess: false), .trap(at: seq, isGuess: true), .undecodable(at: seq),
        .tooLarge(at: seq), .omits(seq, requests: 0..<1), .omits(seq, requests: 0..<2),
        .omits(seq, requests: 0..<100),
      ]
    }

  @Test("answers every entry that a host can make, and no other, whatever the host does wrong")
  func faults() throws {
    for first in [0, 1, 4] as [Int64] {
      for fault in Self.faults {
        var host = FaultyHost(fault: fault)
        let ended = try Self.run(Self.runner(from: first), on: &host)
        #expect(ended == Self.expected(fault, from: first), "\(fault) from \(first)")
      }
    }
  }

  @Test("finds the step at which a process ends without a word in few requests")
  func halving() throws {
    for bad in 1...Self.count {
      var host = FaultyHost(fault: .trap(at: bad, isGuess: true))
      _ = try Self.run(Self.runner(from: 1), on: &host)
      // Each of at most three halvings takes at most two requests; a real trap happens twice.
      #expect(host.requests <= 8, "\(bad)")
    }
  }

  @Test("refuses entries that do not belong to the next step")
  func wrongEntries() throws {
    let lines = [
      FaultyHost.line(2), FaultyHost.line(1, was: 3), FaultyHost.line(1, t: 9), "{}",
      #"{"seq":1,"t":1,"was":1,"event":{"add":{}},"thinned":true}"#,
    ]
    for line in lines {
      var runner = Self.runner(from: 1)
      _ = runner.begin()
      _ = runner.request()
      let entry = try JSONSlice(validating: Array(line.utf8))
      let received = runner.receive(FromRecorder.Reduced { $0.entries = [entry] })
      #expect(received.entries.isEmpty)
      #expect(received.problem is Refusal, "\(line)")
      #expect(runner.next == 1)
    }
  }

  @Test("counts entries that need not be answered")
  func quiet() throws {
    for quiet in 0...Self.count {
      var runner = Self.runner(from: 1, rule: .numbers)
      _ = runner.begin()
      let request = runner.request(quiet: quiet)
      #expect(request.quiet == quiet)
      let entries = try (quiet + 1..<Self.count + 1).map {
        try JSONSlice(validating: Array(FaultyHost.line($0).utf8))
      }
      let received = runner.receive(FromRecorder.Reduced { $0.entries = entries })
      #expect(received.entries.count == entries.count)
      try runner.finish(by: "host")
      #expect(runner.next == Self.count + 1)
      let isOpen = runner.begin()
      #expect(!isOpen)
    }
  }

  @Test("with its numbers checked, an answer needs exactly the entries that were requested")
  func counts() throws {
    for count in 0...Self.count + 1 where count != Self.count {
      var runner = Self.runner(from: 1, rule: .numbers)
      _ = runner.begin()
      _ = runner.request()
      let entries = try (0..<count).map {
        try JSONSlice(validating: Array(FaultyHost.line($0 + 1).utf8))
      }
      _ = runner.receive(FromRecorder.Reduced { $0.entries = entries })
      let refusal = #expect(throws: Refusal.self) { try runner.finish(by: "host") }
      #expect(
        refusal?.reply.message
          == "The host answered \(Counted.entries(count)) where 7 were expected."
      )
    }
  }
}
