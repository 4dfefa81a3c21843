import DebugServer
import Foundation
import JSONCore
import Predicates
import Synchronization
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("Entries that are requested together")
struct EntryPageTests {
  @Test("neighbors are one request, without a filter")
  func neighbors() async throws {
    let daemon = CountedEntries(through: 40)
    #expect(try await Self.lines(of: 10...29, daemon) == Array(10...29))
    #expect(daemon.requests == 1 && daemon.filters == 0)
  }

  @Test("entries far from each other are one request for each stretch, with a filter")
  func scattered() async throws {
    let daemon = CountedEntries(through: 20_000)
    let seqs: [Int64] = [3, 9_000, 7, 100, 9_001, 9_007]
    #expect(try await Self.lines(of: seqs, daemon) == [3, 7, 100, 9_000, 9_001, 9_007])
    #expect(daemon.requests == 2 && daemon.filters == 2)
  }

  @Test("many entries are requested in pages, and an answer in parts is continued")
  func pages() async throws {
    let daemon = CountedEntries(through: 2_000, most: 30)
    let seqs = (0..<1_000).map { Int64($0 * 2) }
    #expect(try await Self.lines(of: seqs, daemon) == seqs)
    #expect(daemon.requests == 40)
  }

  @Test("entries that were lost are left out")
  func lost() async throws {
    let daemon = CountedEntries(through: 40, without: [12, 29])
    #expect(try await Self.lines(of: [11, 12, 13], daemon) == [11, 13])
    #expect(try await Self.lines(of: [5, 12, 29], daemon) == [5])
    #expect(try await Self.lines(of: [], daemon) == [])
  }

  @Test("the command asks for the entries of all changes at once")
  func command() async throws {
    let daemon = CountedEntries(through: 40)
    let parser = ArgumentParser(commands: [.changes])
    guard
      case .run(let arguments) = try parser.parse(
        ["changes", "coin", "/n", "--json"], environment: [:])
    else { throw CommandError("The arguments are invalid.") }
    let pipe = Pipe()
    let terminal = Terminal(
      output: pipe.fileHandleForWriting, errors: .nullDevice, isInteractive: false,
      hasColor: false, columns: nil)
    let inquiry = Inquiry(asking: daemon, arguments: arguments, terminal: terminal)
    #expect(try await CommandSpec.listChanges(inquiry) == .done)
    try pipe.fileHandleForWriting.close()
    let printed = String(
      decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let events = try printed.split(separator: "\n").map {
      try JSON(parsing: Array($0.utf8))["event"]?.string
    }
    #expect(events == (21...40).reversed().map { "e\($0)" })
    #expect(daemon.requests == 1)
  }

  /// The seqs of the lines that are found.
  private static func lines(
    of seqs: some Sequence<Int64>, _ daemon: CountedEntries
  ) async throws -> [Int64] {
    let parser = ArgumentParser(commands: [.changes])
    guard case .run(let arguments) = try parser.parse(["changes", "coin", "/n"], environment: [:])
    else { throw CommandError("The arguments are invalid.") }
    let quiet = Terminal(
      output: .nullDevice, errors: .nullDevice, isInteractive: false, hasColor: false, columns: nil)
    let inquiry = Inquiry(asking: daemon, arguments: arguments, terminal: quiet)
    let lines = try await inquiry.lines(of: seqs, in: .zero)
    for (seq, line) in lines { #expect(line["seq"]?.int == seq) }
    return lines.keys.sorted()
  }
}

/// A recording in which each entry changes `/n`, and a count of the requests for its entries.
private final class CountedEntries: Backend {
  private let last: Int64
  private let most: Int
  private let lost: Set<Int64>
  private let counts = Mutex((requests: 0, filters: 0))

  init(through last: Int64, most: Int = .max, without lost: Set<Int64> = []) {
    (self.last, self.most, self.lost) = (last, most, lost)
  }

  var requests: Int { counts.withLock { $0.requests } }
  var filters: Int { counts.withLock { $0.filters } }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    switch request {
    case .timelines:
      return .message(
        .timelines(ToInspector.Timelines { $0.timelines = [summary].compactMap(\.self) }))
    case .changes(let asked):
      return .message(
        .changes(
          ToInspector.Changes {
            $0.changes = (0..<asked.limit).map { number in
              ToInspector.Change { $0.seq = (asked.before ?? 0) - 1 - number }
            }
          }))
    case .entries(let asked): return .message(.entries(entries(asked)))
    default: throw .unexpected("\(request)")
    }
  }

  private var summary: ToInspector.TimelineSummary? {
    let header = try? JSONSlice(
      validating: Array(
        #"""
        {"timeline":"\#(TimelineID.zero.text)","app":{"name":"test"},\#
        "machine":{"type":"Coin","name":"coin"},"started":"2026-05-01T08:00:00Z","format":1}
        """#.utf8))
    return header.map { header in
      ToInspector.TimelineSummary {
        $0.header = header
        $0.first = 0
        $0.last = last
      }
    }
  }

  private func entries(_ asked: FromInspector.Entries) -> ToInspector.Entries {
    counts.withLock {
      $0.requests += 1
      if asked.filter != nil { $0.filters += 1 }
    }
    var answer = ToInspector.Entries()
    for seq in stride(from: asked.from, through: last, by: 1) where !lost.contains(seq) {
      let line = #"{"seq":\#(seq),"t":0,"event":"e\#(seq)","patch":[]}"#
      guard let entry = try? JSONSlice(validating: Array(line.utf8)) else { continue }
      let isFound = asked.filter?.evaluate(EntrySubject(entry: entry)) ?? .yes
      guard isFound == .yes else { continue }
      guard answer.entries.count < min(most, Int(asked.count)) else {
        answer.next = seq
        break
      }
      answer.entries.append(entry)
    }
    return answer
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { $0.finish() } }

  func close() async {}
}
