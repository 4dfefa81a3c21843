import Machines
import Recorder
import StatesCore

// Shows timers and one-shot outputs in a recording.
ReducerHost.runIfAsked(VerificationState.self)
var options = RecorderOptions()
options.allowsControl = true
let recorder = StateRecorder(app: "PhoneVerification", options: options)
let machine = recorder.record(Machine(VerificationState()), as: "verification")
machine.react(to: \.messages.first) { print($0.text) }

let pace = Pace(.milliseconds(100))
await verify(machine, pace)
print(machine.state.step)
recorder.close()
