import Machines
import Recorder

// Shows two ways to record a machine of another library: by its reducer, and by hand.
ReducerHost.runIfAsked(BasketRecording.self)
let recorder = StateRecorder(app: "Elsewhere")
let reduce = recorder.wrap(
  inPlace: Basket.reduce(into:action:), as: "basket", outputs: BasketRecording.outputs,
  madeBy: BasketRecording.self)
let total = recorder.machine("total", initial: 0)

var basket = Basket()
var user = BasketUser()
let pace = Pace(.milliseconds(50))
for _ in 1...20 { await dispatch(user.act(pace)) }
while let action = user.removeNext() { await dispatch(action) }

// The cost of an empty basket is a surprise: docs/walkthrough.md explains it.
print(basket.items.map(\.name), basket.totalCents)
recorder.close(within: .seconds(60))

@MainActor
func dispatch(_ action: Basket.Action) async {
  await pace.rest()
  reduce(&basket, action)
  total.record(action, state: basket.totalCents)
}
