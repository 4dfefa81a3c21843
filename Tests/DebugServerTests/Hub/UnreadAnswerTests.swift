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

  @Test("upload few files at once, and another one after one is canceled")
  func uploads() {
    var world = HubWorld { $0.uploadsOfSession = 2 }
    let (peer, other) = (world.inspector(), world.inspector())
    let ask = { (id: Int) in #"{"type":"import","id":\#(id),"name":"a.timeline","bytes":10}"# }
    world.send(ask(1), as: peer)
    world.answerQuery(.message(.import(ToInspector.Import { $0.upload = "u1" })))
    world.send(ask(2), as: peer)
    #expect(world.queries.count == 1)
    _ = world.receive(as: peer)
    world.send(ask(3), as: peer)
    let refused = world.receive(as: peer).first
    #expect(refused?["code"] == "limit")
    #expect(
      refused?["message"]
        == "A session can upload at most 2 files at once. To fix, wait until one is complete.")
    world.send(ask(1), as: other)
    #expect(world.queries.count == 2, "the limit is not shared with others")
  }
}
