// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stand-in of the shapes of The Composable Architecture 1.25 that the integration and its test use.

public protocol Reducer<State, Action> {
  associatedtype State
  associatedtype Action
  associatedtype Body

  func _reduce(into state: inout State, action: Action) -> Effect<Action>

  @ReducerBuilder<State, Action>
  var body: Body { get }
}

extension Reducer where Body == Never {
  public var body: Body { preconditionFailure("\(Self.self) has no body") }
}

extension Reducer where Body: Reducer<State, Action> {
  /// Evaluates `body` for each action, as the library does.
  public func _reduce(into state: inout Body.State, action: Body.Action) -> Effect<Body.Action> {
    body._reduce(into: &state, action: action)
  }
}

public struct Reduce<State, Action>: Reducer {
  private let reduce: (inout State, Action) -> Effect<Action>

  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    self.reduce = reduce
  }

  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    reduce(&state, action)
  }
}

public struct BindingReducer<State, Action, ViewAction: BindableAction>: Reducer
where State == ViewAction.State {
  private let toViewAction: (Action) -> ViewAction?

  public init() where Action == ViewAction {
    toViewAction = { $0 }
  }

  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    toViewAction(action)?.binding?.set(&state)
    return .none
  }
}

@resultBuilder
public enum ReducerBuilder<State, Action> {
  public static func buildExpression<R: Reducer<State, Action>>(_ expression: R) -> R {
    expression
  }
  public static func buildPartialBlock<R: Reducer<State, Action>>(first: R) -> R { first }
  public static func buildPartialBlock<
    R0: Reducer<State, Action>, R1: Reducer<State, Action>
  >(accumulated: R0, next: R1) -> _Sequence<R0, R1> {
    _Sequence(first: accumulated, second: next)
  }
  public static func buildFinalResult<R: Reducer<State, Action>>(_ reducer: R) -> R { reducer }

  public struct _Sequence<R0: Reducer, R1: Reducer<R0.State, R0.Action>>: Reducer {
    let first: R0
    let second: R1

    public func _reduce(into state: inout R0.State, action: R0.Action) -> Effect<R0.Action> {
      let effect = first._reduce(into: &state, action: action)
      return effect.merge(with: second._reduce(into: &state, action: action))
    }
  }
}

public struct CombineReducers<State, Action, Reducers: Reducer>: Reducer
where State == Reducers.State, Action == Reducers.Action {
  private let reducers: Reducers

  public init(@ReducerBuilder<State, Action> _ build: () -> Reducers) {
    reducers = build()
  }

  public func _reduce(
    into state: inout Reducers.State, action: Reducers.Action
  ) -> Effect<Reducers.Action> {
    reducers._reduce(into: &state, action: action)
  }
}

public struct Effect<Action>: Sendable {
  typealias Operation = @Sendable (_ send: Send<Action>) async -> Void
  let operations: [Operation]

  public static var none: Self { Self(operations: []) }

  public static func run(
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void
  ) -> Self {
    Self(operations: [{ send in try? await operation(send) }])
  }

  public func merge(with other: Self) -> Self { Self(operations: operations + other.operations) }

  func map<Other>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    Effect<Other>(
      operations: operations.map { operation in
        { send in await operation(Send { send(transform($0)) }) }
      })
  }
}

@MainActor
public struct Send<Action>: Sendable {
  let send: @MainActor @Sendable (Action) -> Void

  public func callAsFunction(_ action: Action) { send(action) }
}

public protocol BindableAction<State> {
  associatedtype State
  static func binding(_ action: BindingAction<State>) -> Self
  var binding: BindingAction<State>? { get }
}

public struct BindingAction<Root>: Sendable {
  public let keyPath: any PartialKeyPath<Root> & Sendable
  let set: @Sendable (inout Root) -> Void
  let value: any Sendable

  public static func set<Value: Sendable>(
    _ keyPath: any WritableKeyPath<Root, Value> & Sendable, _ value: Value
  ) -> Self {
    Self(keyPath: keyPath, set: { $0[keyPath: keyPath] = value }, value: value)
  }
}

/// What the macro for observable states adds to a state.
public struct ObservationStateRegistrar: Sendable, Codable {
  private final class Storage: Sendable {}
  private let storage = Storage()

  public init() {}
  public init(from decoder: any Decoder) throws { self.init() }
  public func encode(to encoder: any Encoder) throws {}
}
