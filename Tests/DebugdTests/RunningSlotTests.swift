import Testing

@testable import debugd

@Suite("The server that a signal reloads")
struct RunningSlotTests {
  @Test("a reload that was requested before the server ran is done when it runs")
  func early() {
    let slot = RunningSlot<Int>()
    #expect(slot.serverToReload() == nil)
    #expect(slot.begin(1))
    #expect(slot.serverToReload() == 1)
  }

  @Test("without a request nothing is reloaded")
  func none() {
    #expect(!RunningSlot<Int>().begin(1))
  }
}
