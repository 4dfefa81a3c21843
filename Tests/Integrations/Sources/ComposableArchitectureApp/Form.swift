import ComposableArchitecture
import Recorder
import RecorderComposableArchitecture

/// In a host it records nothing, for there `DEBUGD` is off.
let recorder = StateRecorder(app: "Composable")

/// Attached inside of `body`, which is evaluated for each action; with what the library's macros add
/// to a state, a binding, and a dependency.
struct Form: Reducer, ReplayableFeature {
  struct State: Codable, Sendable {
    var name = ""
    var stamps: [Int] = []
    var _$observationRegistrar = ObservationStateRegistrar()
  }

  enum Action: Codable, Sendable, BindableAction {
    case binding(BindingAction<State>)
    case stamped

    var binding: BindingAction<State>? {
      if case .binding(let action) = self { action } else { nil }
    }
  }

  @Dependency(\.day) var day

  var body: some Reducer<State, Action> {
    CombineReducers {
      BindingReducer()
      Reduce { state, action in
        if case .stamped = action { state.stamps.append(day) }
        return .none
      }
    }
    .recorded(by: recorder, as: "form", madeBy: Form.self)
  }

  static func makeFeature() -> Form { Form() }
  static var initialState: State? { State() }
  static func prepareDependencies(_ dependencies: inout DependencyValues) {
    dependencies.day = 7
  }
}

private enum DayKey: DependencyKey {
  static let liveValue = 1
}

extension DependencyValues {
  var day: Int {
    get { self[DayKey.self] }
    set { self[DayKey.self] = newValue }
  }
}
