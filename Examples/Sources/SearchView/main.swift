import Machines
import Recorder
import Replaying
import StatesCore

// How do the states of one object look in a recording?
ReducerHost.runIfAsked([Replay(functional: SearchView.self)])
let recorder = StateRecorder(app: "SearchView")
let view = recorder.record(SearchView(), as: "search view")
view.state.subscribe { print($0) }

let pace = Pace(.milliseconds(50))
await search(in: view, pace, times: 10)
recorder.close()
