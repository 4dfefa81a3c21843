import Machines
import Recorder
import Replaying
import StatesCore

// Shows the states of one object in a recording.
ReducerHost.runIfAsked([Replay(functional: SearchView.self)])
let recorder = StateRecorder(app: "SearchView")
let view = recorder.record(SearchView(), as: "search view")
view.state.subscribe { state in
  // The current state; during a transition, also the previous one.
  switch (state.current?.title, state.target?.title) {
  case (let from?, let to?): print(from, "→", to)
  case (let name, let target): print(target ?? name ?? "nowhere")
  }
}

let pace = Pace(.milliseconds(50))
await search(in: view, pace, times: 10)
recorder.close()
