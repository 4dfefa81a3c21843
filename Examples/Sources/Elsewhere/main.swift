import Machines
import Recorder

// How is a machine recorded that somebody else drives? Two ways: by its reducer, and by hand.
ReducerHost.runIfAsked(BasketRecording.self)
let recorder = StateRecorder(app: "Elsewhere")
let reduce = recorder.wrap(
  inPlace: Basket.reduce(into:action:), as: "basket", outputs: BasketRecording.outputs,
  madeBy: BasketRecording.self)
let total = recorder.machine("total", initial: 0)

var basket = Basket()
var user = BasketUser()
let pace = Pace(.milliseconds(50))
for _ in 1...20 { await take(user.act(pace)) }
while let action = user.takeOut() { await take(action) }

// What an empty basket costs is a surprise: docs/walkthrough.md finds out why.
print(basket.items.map(\.name), basket.totalCents)
recorder.close()

@MainActor
func take(_ action: Basket.Action) async {
  await pace.rest()
  reduce(&basket, action)
  total.record(action, state: basket.totalCents)
}
