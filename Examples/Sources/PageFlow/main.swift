import Machines
import Recorder
import StatesCore

// How does a statechart look in a recording?
ReducerHost.runIfAsked(PageFlow.self)
let recorder = StateRecorder(app: "PageFlow")
let flow = recorder.record(try PageFlow.make(), as: "flow", madeBy: PageFlow.self)
flow.onMove { move in print(move) }

let pace = Pace(.milliseconds(50))
try await wander(flow, pace, times: 40)
recorder.close()
