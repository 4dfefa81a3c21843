import Testing
import Wire

@testable import DebugServer

@Suite("Refused connections")
struct RefusedConnectionTests {
  @Test("codes of refusals count, and those of other ends do not")
  func codes() {
    var counted: [CloseCode: [Int64]] = [:]
    for code in CloseCode.allCases {
      var refused = RefusedConnections()
      refused.count(code)
      counted[code] = [refused.unproved, refused.excess]
    }
    #expect(
      counted.filter { $0.value != [0, 0] }
        == [.unauthorised: [1, 0], .limit: [0, 1], .credit: [0, 1]])
  }

  @Test("strangers that make room, and those without a proof, are counted")
  func strangers() {
    var world = HubWorld { $0.strangers = 3 }
    for _ in 0..<10 { _ = world.connect(.recorder, .port) }
    #expect(world.hub.counts.refused.excess == 7)
    let peer = world.connect(.inspector, .port)
    world.send(#"{"type":"hello","version":"1.0"}"#, as: peer)
    #expect(world.closes[peer]?.code == .unauthorised)
    #expect(world.hub.counts.refused.unproved == 1)
    #expect(world.hub.counts.refused.excess == 8)
  }
}
