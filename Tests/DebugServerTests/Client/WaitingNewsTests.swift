import JSONCore
import Testing
import Timelines
import Wire

@testable import DebugServer

@Suite("News that wait for their reader")
struct WaitingNewsTests {
  private let timeline = TimelineID.random()

  private func live(_ last: Int64) -> ToInspector {
    .live(
      ToInspector.Live {
        $0.timeline = timeline
        $0.last = last
      })
  }

  private func update(live isLive: Bool) throws -> ToInspector {
    let header = try JSONSlice(validating: Array(#"{"timeline":"\#(timeline.text)"}"#.utf8))
    return .timeline(
      ToInspector.Timeline {
        $0.timeline.header = header
        $0.timeline.live = isLive
      })
  }

  private func notice(_ text: String) -> ToInspector {
    .notice(NoticeMessage { $0.message = text })
  }

  /// The messages that a reader gets, as text.
  private func read(_ news: inout WaitingNews) async -> [String] {
    news.close()
    var result: [String] = []
    while let message = await withCheckedContinuation({ news.resume($0) }) {
      switch message {
      case .live(let live): result.append("live \(live.last)")
      case .timeline(let reported): result.append(reported.timeline.live ? "written" : "ended")
      case .gone: result.append("gone")
      case .notice(let notice): result.append(notice.message)
      case .progress(let progress): result.append("progress \(progress.done)")
      default: result.append("other")
      }
    }
    return result
  }

  @Test("of each kind the newest waits for each timeline")
  func newest() async throws {
    var news = WaitingNews()
    for last in Int64(1)...1_000 {
      news.add(live(last))
      news.add(try update(live: true))
      news.add(.progress(ToInspector.Progress { $0.done = last }), of: last % 2)
    }
    #expect(await read(&news) == ["live 1000", "progress 999", "written", "progress 1000"])
  }

  @Test("the end of a timeline does not overtake its last entries")
  func order() async throws {
    var news = WaitingNews()
    news.add(try update(live: true))
    news.add(live(5))
    news.add(try update(live: false))
    news.add(live(6))
    news.add(.gone(ToInspector.Gone { $0.timeline = timeline }))
    #expect(await read(&news) == ["live 6", "ended", "gone"])
  }

  @Test("of the notices the last few wait")
  func notices() async {
    var news = WaitingNews()
    for number in 0..<100 { news.add(notice("\(number)")) }
    let dropped = "92 older messages were dropped: this inspector did not read them in time."
    #expect(await read(&news) == [dropped] + (92..<100).map(String.init))
  }

  @Test("of more timelines than fit the newest wait, and the others are counted")
  func timelines() async throws {
    var news = WaitingNews()
    let limit = WaitingNews.maximumItems
    for _ in 0..<limit + 1 { news.add(.gone(ToInspector.Gone { $0.timeline = .random() })) }
    news.add(live(7))
    #expect(news.count == limit)
    let all = await read(&news)
    #expect(all.first == "2 older messages were dropped: this inspector did not read them in time.")
    #expect(all.count == limit + 1 && all.last == "live 7")
  }
}
