// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

extension Reducer {
  /// Runs a child feature on an optional part of the state, with a path of its own.
  public func ifLet<ChildState, ChildAction, Child: Reducer<ChildState, ChildAction>>(
    _ toChildState: any WritableKeyPath<State, ChildState?> & Sendable,
    action toChildAction: AnyCasePath<Action, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> then child: () -> Child
  ) -> _IfLetReducer<Self, Child> {
    _IfLetReducer(
      parent: self, child: child(), toChildState: toChildState, toChildAction: toChildAction)
  }
}

public struct _IfLetReducer<Parent: Reducer, Child: Reducer>: Reducer {
  let parent: Parent
  let child: Child
  let toChildState: any WritableKeyPath<Parent.State, Child.State?> & Sendable
  let toChildAction: AnyCasePath<Parent.Action, Child.Action>

  public func _reduce(
    into state: inout Parent.State, action: Parent.Action
  ) -> Effect<Parent.Action> {
    let effect = reduceChild(into: &state, action: action)
    return effect.merge(with: parent._reduce(into: &state, action: action))
  }

  private func reduceChild(
    into state: inout Parent.State, action: Parent.Action
  ) -> Effect<Parent.Action> {
    guard let action = toChildAction.extract(from: action),
      var child = state[keyPath: toChildState]
    else { return .none }
    let id = NavigationIDPath.Part.child("\(toChildState)", id: Self.id(of: child))
    let effect = withDependencies {
      $0.navigationIDPath.path.append(id)
    } operation: {
      self.child._reduce(into: &child, action: action)
    }
    state[keyPath: toChildState] = child
    return effect.map(toChildAction.embed)
  }

  private static func id(of state: Child.State) -> String? {
    (state as? any Identifiable).map { "\($0.id)" }
  }
}

public struct AnyCasePath<Root, Value>: Sendable {
  let embed: @Sendable (Value) -> Root
  private let extracting: @Sendable (Root) -> Value?

  public init(
    embed: @escaping @Sendable (Value) -> Root, extract: @escaping @Sendable (Root) -> Value?
  ) {
    self.embed = embed
    extracting = extract
  }

  public func extract(from root: Root) -> Value? { extracting(root) }
}
