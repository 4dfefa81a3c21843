import StatesCore
import Timelines

/// The declared outputs of a state in recorded form.
struct StateOutputs<State>: Sendable {
  private let outputs: Outputs<State>

  init(_ outputs: Outputs<State>) {
    self.outputs = outputs
  }

  var kinds: [Header.Output] {
    outputs.map { Header.Output($0.name, kind: $0.use.rawValue) }
  }

  func values(in state: State) -> [RecordedOutput] {
    RecordedOutput.list(of: outputs, in: state)
  }
}
