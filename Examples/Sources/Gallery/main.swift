import Machines
import Recorder
import Replaying
import StatesCore

// Runs all machines with simulated users until Ctrl-C, for `scripts/run`.
ReducerHost.runIfAsked(
  [Replay(functional: SearchView.self)]
    + [
      Replay(reducible: CoinState.self), Replay(reducible: VerificationState.self),
      Replay(of: AddressBook.self), Replay(of: PageFlow.self), Replay(of: RepositorySearch.self),
      Replay(of: BasketRecording.self),
    ])

readArguments(CommandLine.arguments.dropFirst())
var options = RecorderOptions()
options.allowsControl = true
let gallery = Gallery(StateRecorder(app: "Gallery", options: options))
await gallery.run()
