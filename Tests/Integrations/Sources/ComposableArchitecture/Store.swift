// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A place for values that a reducer needs from the world.
public struct DependencyValues: Sendable {
  @TaskLocal public static var _current = Self()
  private var storage: [ObjectIdentifier: any Sendable] = [:]

  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get { storage[ObjectIdentifier(key)] as? Key.Value ?? Key.liveValue }
    set { storage[ObjectIdentifier(key)] = newValue }
  }
}

public protocol DependencyKey: Sendable {
  associatedtype Value: Sendable
  static var liveValue: Value { get }
}

@propertyWrapper
public struct Dependency<Value> {
  private let keyPath: any KeyPath<DependencyValues, Value> & Sendable

  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    self.keyPath = keyPath
  }

  public var wrappedValue: Value { DependencyValues._current[keyPath: keyPath] }
}

public func withDependencies<Answer>(
  _ update: (inout DependencyValues) throws -> Void, operation: () throws -> Answer
) rethrows -> Answer {
  var dependencies = DependencyValues._current
  try update(&dependencies)
  return try DependencyValues.$_current.withValue(dependencies) { try operation() }
}

/// What the library cancels the effects of a store by.
struct NavigationIDPath: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case store(Int)
    case child(String, id: String?)
  }

  var path: [Part] = []
}

private enum NavigationIDPathKey: DependencyKey {
  static let liveValue = NavigationIDPath()
}

extension DependencyValues {
  var navigationIDPath: NavigationIDPath {
    get { self[NavigationIDPathKey.self] }
    set { self[NavigationIDPathKey.self] = newValue }
  }
}

@preconcurrency @MainActor
public final class Store<State, Action> {
  private static var count: Int {
    get { storesMade }
    set { storesMade = newValue }
  }
  private var state: State
  private let reducer: any Reducer<State, Action>
  private let dependencies: DependencyValues

  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> R.State,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil
  ) {
    Self.count += 1
    let number = Self.count
    (state, self.reducer, dependencies) = withDependencies(prepareDependencies ?? { _ in }) {
      var dependencies = DependencyValues._current
      dependencies.navigationIDPath.path.append(.store(number))
      return (initialState(), reducer(), dependencies)
    }
  }

  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    let effect = withDependencies({ $0 = dependencies }) {
      reducer._reduce(into: &state, action: action)
    }
    let send = Send<Action> { [weak self] in self?.send($0) }
    return StoreTask(
      tasks: effect.operations.map { operation in Task { await operation(send) } })
  }

  public func withState<Answer>(_ body: (State) -> Answer) -> Answer { body(state) }
}

@MainActor private var storesMade = 0

public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>

public struct StoreTask: Sendable {
  let tasks: [Task<Void, Never>]

  public func finish() async {
    for task in tasks { await task.value }
  }
}
