import Machines
import Recorder
import StatesCore

// Shows effects, pages, and cancellation in a recording.
ReducerHost.runIfAsked(RepositorySearch.self)
let recorder = StateRecorder(app: "RepositorySearch")
let service = ReposService()
let system = recorder.record(
  RepositorySearch.system { try await service.page($0) }, as: "repositories",
  madeBy: RepositorySearch.self)

let run = system.makeRun()
let shown = Task {
  for try await state in run { print(state.query, state.results.count, state.failure ?? "") }
}
let pace = Pace(.milliseconds(100))
await browse(run, pace, times: 12)
shown.cancel()
recorder.close()
