import ReSwift
import Recorder

/// Not Codable, and not in the list of actions.
struct Later: Action { let run: () -> Void }

ReducerHost.runIfAsked(AppRecording.self)
let recorder = StateRecorder(app: "ReSwiftApp")
let store = makeStore(recorder)
for by in 1...4 { store.dispatch(Increase(by: by)) }
store.dispatch(Screen.opened)

let other = Store<AppState>(reducer: recorder.wrap(AppRecording.self, as: "thunks"), state: nil)
other.dispatch(Increase(by: 1))
other.dispatch(Later {})
print(store.state.count, other.state.count)
recorder.close(within: .seconds(120))
