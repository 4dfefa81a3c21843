import Machines
import Recorder
import StatesCore

// Shows a statechart in a recording.
ReducerHost.runIfAsked(PageFlow.self)
let recorder = StateRecorder(app: "PageFlow")
let flow = recorder.record(try PageFlow.make(), as: "flow", madeBy: PageFlow.self)
flow.onMove { move in print(move) }

// `PageFlow 9999` makes a long recording quickly.
let times = CommandLine.arguments.dropFirst().first.flatMap { Int($0) }
let pace = Pace(.milliseconds(times == nil ? 50 : 2))
try await wander(flow, pace, times: times ?? 40)
recorder.close()
