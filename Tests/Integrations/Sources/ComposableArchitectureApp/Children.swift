import ComposableArchitecture
import RecorderComposableArchitecture

/// A feature that others present.
struct Child: Reducer {
  struct State: Codable, Sendable, Identifiable {
    let id: Int
    var taps = 0
  }

  enum Action: Codable, Sendable { case tapped }

  var body: some Reducer<State, Action> {
    Reduce { state, _ in
      state.taps += 1
      return .none
    }
    .recorded(by: recorder, as: "child")
  }
}

/// A feature with two children, which are not always there.
struct Pair: Reducer {
  struct State: Sendable { var left: Child.State?, right: Child.State? }

  enum Action: Sendable {
    case shown(left: Int, right: Int)
    case left(Child.Action)
    case right(Child.Action)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      guard case .shown(let left, let right) = action else { return .none }
      state = State(left: Child.State(id: left), right: Child.State(id: right))
      return .none
    }
    .ifLet(\.left, action: AnyCasePath(embed: Action.left) { $0.leftAction }) { Child() }
    .ifLet(\.right, action: AnyCasePath(embed: Action.right) { $0.rightAction }) { Child() }
  }
}

extension Pair.Action {
  fileprivate var leftAction: Child.Action? {
    if case .left(let action) = self { action } else { nil }
  }
  fileprivate var rightAction: Child.Action? {
    if case .right(let action) = self { action } else { nil }
  }
}

/// Shows the children and taps the left one twice, the right one once, and the next left one.
@MainActor func tapChildren() {
  let pair = Store(initialState: Pair.State()) { Pair() }
  pair.send(.shown(left: 1, right: 2))
  pair.send(.left(.tapped))
  pair.send(.right(.tapped))
  pair.send(.left(.tapped))
  pair.send(.shown(left: 3, right: 2))
  pair.send(.left(.tapped))
}
