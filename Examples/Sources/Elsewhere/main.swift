import Machines
import Recorder

// How is a machine recorded that somebody else drives? Two ways: by its reducer, and by hand.
let recorder = StateRecorder(app: "Elsewhere")
let reduce = recorder.wrap(inPlace: Basket.reduce(into:action:), as: "basket")
let total = recorder.machine("total", initial: 0)

var basket = Basket()
var user = BasketUser()
let pace = Pace(.milliseconds(50))
for _ in 1...40 {
  await pace.rest()
  let action = user.act(pace)
  reduce(&basket, action)
  total.record(action, state: basket.totalCents)
}
print(basket.items.map(\.name), basket.totalCents)
recorder.close()
