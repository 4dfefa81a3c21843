import DebugServer
import JSONCore
import Synchronization
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import debugd

@Suite("asking a daemon for the timeline that a word means")
struct MeantTimelineTests {
  private static let words = [
    "coin", "Shop/coin", "Gallery/coin", "lamp", "Lamp", "without 3", "before the crash", "last",
    "nothing", "Shop", "", "0000", "1111", "22",
  ]

  private static func list(_ seed: UInt64, of count: Int) throws -> [ToInspector.TimelineSummary] {
    var random = SeededGenerator(seed: seed)
    return try (0..<count).map { number in
      let id = "\(number % 3)\(number % 3)\(number % 3)\(number % 3)"
      var fields = Header.Fields(
        timeline: try #require(
          TimelineID(id + TimelineID.random(using: &random).text.dropFirst(4))),
        app: Header.App(name: random.chance(0.5) ? "Gallery" : "Shop"),
        machine: Header.Machine(
          type: "T", name: ["coin", "lamp", "last"].randomElement(using: &random) ?? ""),
        started: Timestamp(microseconds: Int64(100 - number)))
      if random.chance(0.5) {
        fields.parent = Header.Parent(
          timeline: .zero, through: 0, start: 1, edits: EditScript([]),
          name: random.chance(0.3) ? "without 3" : nil)
      }
      let header = try Header(fields)
      let name = random.chance(0.1) ? "before the crash" : nil
      return ToInspector.TimelineSummary {
        $0.header = header.line
        $0.name = name
      }
    }
  }

  private static func result(
    _ body: () async throws -> TimelineID
  ) async -> Result<TimelineID, TimelineChoice.Unclear> {
    do {
      return .success(try await body())
    } catch let error as TimelineChoice.Unclear {
      return .failure(error)
    } catch {
      return .failure(TimelineChoice.Unclear(description: "\(error)"))
    }
  }

  @Test(
    "finds what reading the whole list finds, also with an older daemon",
    arguments: 0..<8 as Range<UInt64>)
  func same(seed: UInt64) async throws {
    for count in [0, 1, 5, 30] {
      let list = try Self.list(seed, of: count)
      let words = Self.words + list.prefix(4).compactMap { $0.header["timeline"]?.string }
      for (word, selects) in words.flatMap({ [($0, true), ($0, false)] }) {
        let expected = await Self.result { try TimelineChoice(list)(word) }
        let backend = ListBackend(list, selects: selects)
        let found = await Self.result { try await backend.timeline(meaning: word) }
        #expect("\(found)" == "\(expected)", "\(word) of \(count)")
        if selects, case .success = found, word != TimelineChoice.last {
          #expect(backend.wholeLists == 0, "\(word)")
        }
      }
    }
  }

  @Test("reads no whole list for the newest recording")
  func newest() async throws {
    let list = try Self.list(1, of: 30)
    let backend = ListBackend(list, selects: true)
    #expect(try await backend.newestTimeline() == TimelineChoice(list).newest)
    #expect(backend.wholeLists == 0)
  }
}

/// A daemon with these timelines, or an older one that ignores which of them are wanted.
private final class ListBackend: Backend {
  private let list: [ToInspector.TimelineSummary]
  private let selects: Bool
  private let count = Mutex(0)

  init(_ list: [ToInspector.TimelineSummary], selects: Bool) {
    (self.list, self.selects) = (list, selects)
  }

  /// How often the whole list was requested.
  var wholeLists: Int { count.withLock { $0 } }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    guard case .timelines(let asked) = request else { throw .unexpected("\(request)") }
    if asked.named == nil, asked.limit == nil { count.withLock { $0 += 1 } }
    var answer = list
    if selects, let word = asked.named {
      var match = WordMatch(word, takesAll: asked.live)
      answer.removeAll { !match.selects(Self.names(of: $0)) }
    }
    if selects, let limit = asked.limit { answer = Array(answer.prefix(Int(limit))) }
    let found = answer
    return .message(.timelines(ToInspector.Timelines { $0.timelines = found }))
  }

  private static func names(of summary: ToInspector.TimelineSummary) -> TimelineNames {
    let header = try? Header(reading: summary.header)
    return TimelineNames(
      id: header?.timeline ?? .zero, app: header?.app.name ?? "", machine: header?.machine.name,
      given: summary.name, recorded: header?.parent?.name, isBranch: header?.parent != nil)
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { $0.finish() } }

  func close() async {}
}
