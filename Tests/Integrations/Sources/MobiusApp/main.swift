import MobiusCore
import Recorder

ReducerHost.runIfAsked(CartRecording.self)
let recorder = StateRecorder(app: "MobiusApp")
let handler = AnyConnectable<CartEffect, CartEvent> { consume in
  Connection(acceptClosure: { _ in consume(.saved) }, disposeClosure: {})
}
let loop = makeLoop(recorder, handler).start(from: Cart())
for item in ["tea", "milk", "salt"] { loop.dispatchEvent(.added(item)) }
print(loop.latestModel.items.joined(separator: " "))
recorder.close(within: .seconds(120))
