import DebugServer
import JSONCore
import Testing
import Timelines
import Wire

@Suite("Inspectors and notices")
struct UnreadNoticeTests {
  @Test("that do not read get the last notices, and how many were dropped")
  func unreadNotices() {
    var world = HubWorld()
    let peer = world.inspector()
    _ = world.receive(as: peer)
    for number in 1...30 { world.handle(.storeProblem("Full \(number).")) }
    world.drain(peer)
    world.wait(1_000)
    let notices = world.receive(as: peer).compactMap { $0["message"]?.string }
    #expect(
      notices
        == ["22 older messages were dropped: this inspector did not read them in time."]
        + (23...30).map { "Full \($0)." })
  }
}
