import ComposableArchitecture
import RecorderComposableArchitecture

/// A state and an action that are not Codable.
struct Opaque: Reducer {
  struct State: Sendable {
    var count = 0
    var onChange: (@Sendable () -> Void)?
  }

  enum Action: Sendable { case added(Int, then: @Sendable () -> Void) }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      guard case .added(let number, let then) = action else { return .none }
      state.count += number
      state.onChange = then
      return .none
    }
  }
}

/// A Codable state with an action that is not.
struct Download: Reducer {
  struct State: Codable, Sendable { var failures = 0 }
  enum Action: Sendable { case failed(any Error) }
  struct Problem: Error {}

  var body: some Reducer<State, Action> {
    Reduce { state, _ in
      state.failures += 1
      return .none
    }
  }
}

@MainActor func useOpaque() {
  let opaque = Store(initialState: Opaque.State()) {
    Opaque().recorded(by: recorder, as: "opaque")
  }
  opaque.send(.added(4, then: {}))
  let download = Store(initialState: Download.State()) {
    Download().recorded(by: recorder, as: "download")
  }
  download.send(.failed(Download.Problem()))
}
