import ComposableArchitecture
import Recorder
import RecorderComposableArchitecture

/// In a host it records nothing, for there `DEBUGD` is off.
let recorder = StateRecorder(app: "Composable")

/// Attached inside of `body`, which is evaluated for each action; with what the library's macros add
/// to a state, a binding, and a dependency.
struct Form: Reducer, ReplayableFeature {
  struct State: Codable, Sendable {
    // What `@ObservableState` makes of `var name = ""` and `var stamps: [Int] = []`.
    var name: String {
      get { _name }
      set { _name = newValue }
    }
    private var _name = ""
    var stamps: [Int] {
      get { _stamps }
      set { _stamps = newValue }
    }
    private var _stamps: [Int] = []
    var _$observationRegistrar = ObservationStateRegistrar()

    private enum CodingKeys: String, CodingKey { case _name = "name", _stamps = "stamps" }

    init() {}
  }

  /// The same without keys of its own.
  struct Unnamed: Codable, Sendable {
    private var _name = "x"
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
