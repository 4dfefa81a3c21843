import JSONCore
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

/// Limits on what inspectors leave unread or unfinished.
extension HubInspectorTests {
  /// An answer, and the bytes of its frame.
  private static func largeAnswer() -> (answer: QueryResult, bytes: Int) {
    let many = summaries((0..<20).map { _ in .random() })
    let answer = QueryResult.message(.timelines(ToInspector.Timelines { $0.timelines = many }))
    var world = HubWorld()
    let peer = world.inspector()
    world.send(#"{"type":"timelines","id":1}"#, as: peer)
    world.answerQuery(answer)
    return (answer, world.frames[peer]?.last?.bytes.count ?? 0)
  }

  @Test("that read nothing share one budget, and the one that is silent longest is closed")
  func unreadAnswers() {
    let (answer, bytes) = Self.largeAnswer()
    let limit = 2 * bytes + bytes / 2
    var world = HubWorld { $0.queuedBytesOfInspectors = limit }
    let peers = (0..<4).map { _ in world.inspector() }
    for peer in peers { world.drain(peer) }
    for (number, peer) in peers.enumerated() {
      world.now += 1
      world.send(#"{"type":"timelines","id":1}"#, as: peer)
      world.answerQuery(answer)
      #expect(peers.filter { world.closes[$0] != nil } == Array(peers.prefix(max(0, number - 1))))
    }
    #expect(world.closes[peers[0]]?.code == .idle, "its queue is discarded")
    #expect(
      world.closes[peers[0]]?.reason
        == """
        \(limit) bytes of answers wait for inspectors that do not read them, this one for the longest \
        time. To fix, read the answers before you send more requests.
        """)
  }

  @Test("get no further answers while the budget is exhausted, except those that read")
  func exhausted() {
    let (answer, bytes) = Self.largeAnswer()
    var world = HubWorld { $0.queuedBytesOfInspectors = bytes / 2 }
    let (unread, reading) = (world.inspector(), world.inspector())
    for peer in [unread, reading] { world.drain(peer) }
    world.send(#"{"type":"timelines","id":1}"#, as: unread)
    world.answerQuery(answer)
    #expect(world.closes.isEmpty, "the only one with a queue is not closed")
    world.send(#"{"type":"timelines","id":2}"#, as: unread)
    #expect(world.queries.isEmpty)
    world.send(#"{"type":"timelines","id":2}"#, as: reading)
    #expect(world.queries.count == 1)
    world.drain(unread)
    #expect(world.queries.count == 2, "it has read, so its next query starts")
  }

  @Test("exceed the budget by at most one answer, even if no other peer has a queue")
  func lastUnread() {
    let (answer, bytes) = Self.largeAnswer()
    var world = HubWorld { $0.queuedBytesOfInspectors = bytes / 2 }
    let peer = world.inspector()
    world.drain(peer)
    for id in 1...2 { world.send(#"{"type":"timelines","id":\#(id)}"#, as: peer) }
    world.answerQuery(answer)
    #expect(world.closes.isEmpty, "any single answer can be read")
    world.answerQuery(answer)
    #expect(world.closes[peer]?.code == .idle)
  }

  @Test("get the frame that the task of their query encoded")
  func encoded() {
    let state = ToInspector.state(
      ToInspector.State {
        $0.timeline = Say.id
        $0.value = .null
      })
    var world = HubWorld()
    let peer = world.inspector()
    world.drain(peer)
    _ = world.receive(as: peer)
    let request = #"{"type":"state","id":"a","timeline":"\#(Say.timeline)","seq":1}"#
    world.send(request, as: peer)
    guard case .encoded = QueryResult.message(state).encoded(re: .text("a")) else {
      Issue.record("a large answer would be encoded on the hub's thread")
      return
    }
    world.answerQuery(QueryResult.message(state).encoded(re: .text("a")))
    let expected = Envelope(state, re: .text("a")).encoded()
    #expect(world.frames[peer]?.map(\.bytes) == [expected])
    world.send(request, as: peer)
    #expect(world.queries.count == 1, "the request has ended, so its id can be used again")
  }
}
