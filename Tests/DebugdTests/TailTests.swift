import DebugServer
import Foundation
import JSONCore
import Synchronization
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("following a timeline")
struct TailTests {
  @Test("shows entries that were stored between the first query and the watch")
  func storedInBetween() async throws {
    // The daemon reports nothing after the watch, because nothing is stored after it.
    let backend = try StubBackend(lastAtWatch: 24, liveAfterWatch: true)
    let (status, printed) = try await tail(backend, "coin", "--json")
    #expect(printed == Array(0...24))
    // The news end, as they do when the daemon goes.
    #expect(status == nil)
  }

  @Test("shows only new entries when no past ones are requested")
  func nothingOfThePast() async throws {
    let backend = try StubBackend(lastAtWatch: 24, liveAfterWatch: true)
    let (_, printed) = try await tail(backend, "coin", "--json", "--count", "0")
    #expect(printed == Array(5...24))
  }

  @Test(
    "ends when the recorder left between the first query and the watch", .timeLimit(.minutes(5)))
  func endedInBetween() async throws {
    let backend = try StubBackend(lastAtWatch: 24, liveAfterWatch: false, endsNews: false)
    let (status, printed) = try await tail(backend, "coin", "--json", "--exit")
    #expect(printed == Array(0...24))
    #expect(status == .done)
  }

  /// Runs the command; its exit code, nil where it throws, and the seqs it printed.
  private func tail(
    _ backend: StubBackend, _ words: String...
  ) async throws -> (ExitCode?, [Int64]) {
    let parser = ArgumentParser(commands: [.tail])
    guard case .run(let arguments) = try parser.parse(["tail"] + words, environment: [:]) else {
      throw CommandError("The arguments are invalid.")
    }
    let pipe = Pipe()
    let terminal = Terminal(
      output: pipe.fileHandleForWriting, errors: .nullDevice, isInteractive: false,
      hasColor: false, columns: nil)
    let inquiry = Inquiry(asking: backend, arguments: arguments, terminal: terminal)
    let status: ExitCode?
    do {
      status = try await CommandSpec.follow(inquiry)
    } catch let refusal as CommandError {
      #expect(
        refusal.description.hasPrefix(
          "The connection to the daemon ended. To fix, start it again: debugd serve"))
      status = nil
    }
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let seqs = try text.split(separator: "\n").map { line in
      try #require(try JSON(parsing: Array(line.utf8))["seq"]?.int)
    }
    return (status, seqs)
  }
}

/// A daemon with a timeline that has 5 entries when it is listed first.
private final class StubBackend: Backend {
  private let timeline = TimelineID.zero
  private let lastAtWatch: Int64
  private let liveAfterWatch: Bool
  private let endsNews: Bool
  private let isWatched = Mutex(false)
  /// Kept, so that nothing more is reported and the connection stays.
  private let connection = Mutex(AsyncStream<ToInspector>.Continuation?.none)
  private let header: JSONSlice

  init(lastAtWatch: Int64, liveAfterWatch: Bool, endsNews: Bool = true) throws {
    header = try JSONSlice(
      validating: Array(
        #"""
        {"timeline":"\#(timeline.text)","app":{"name":"test"},"machine":{"type":"Coin","name":"coin"},\#
        "started":"2026-05-01T08:00:00Z","format":1}
        """#.utf8))
    (self.lastAtWatch, self.liveAfterWatch) = (lastAtWatch, liveAfterWatch)
    self.endsNews = endsNews
  }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    let watched = isWatched.withLock { $0 }
    let last = watched ? lastAtWatch : 4
    switch request {
    case .timelines:
      return .message(
        .timelines(
          ToInspector.Timelines {
            $0.timelines = [
              ToInspector.TimelineSummary {
                $0.header = header
                $0.last = last
                $0.live = !watched || liveAfterWatch
              }
            ]
          }))
    case .watch:
      isWatched.withLock { $0 = true }
      return .message(.done(ToInspector.Done { $0.seq = lastAtWatch }))
    case .entries(let entries):
      let from = entries.from
      let seqs =
        entries.direction == .backward
        ? Array(stride(from: from, through: max(0, from - entries.count + 1), by: -1))
        : from <= last ? Array(from...last) : []
      return .message(
        .entries(
          ToInspector.Entries {
            $0.entries = seqs.compactMap {
              try? JSONSlice(validating: Array("{\"seq\":\($0)}".utf8))
            }
          }))
    default: throw .unexpected("\(request)")
    }
  }

  func news() async -> AsyncStream<ToInspector> {
    let (stream, continuation) = AsyncStream.makeStream(of: ToInspector.self)
    if endsNews { continuation.finish() } else { connection.withLock { $0 = continuation } }
    return stream
  }

  func close() async {}
}
