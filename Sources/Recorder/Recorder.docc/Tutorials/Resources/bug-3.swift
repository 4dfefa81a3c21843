import Machines
import StatesTesting
import Testing

@Suite("basket: an empty basket is free")
struct AnEmptyBasketIsFreeTests {
  @Test("an empty basket is free")
  func anEmptyBasketIsFree() throws {
    let basket = try ReplayedMachine(
      of: BasketRecording.self,
      from: ["items": [], "totalCents": 0])
    try basket.expect(never: "outputs.count == 0 && outputs.total != 0")
    try basket.send(.added(.init(recorded: ["id": 7, "name": "", "cents": 0, "discount": 0])))
    try basket.send(.discounted(id: 7, cents: 150))
    try basket.send(.removed(id: 7))
  }
}
