/// An object that is always in one of several states, each described by a function.
///
/// ```swift
/// class SearchView: Stateful {
///   var keyword = ""
///   var isEnabled = true
///   private(set) lazy var state = Dispatcher(for: self)
///
///   static func awaiting(with keyword: String) -> State {
///     state {
///       $0.keyword = keyword
///       $0.isEnabled = true
///     }
///   }
///
///   static func locked() -> State {
///     state { $0.isEnabled = false }
///   }
/// }
///
/// let view = SearchView()
/// view.state.apply { $0.awaiting(with: "something") }
/// view.state.apply { $0.awaiting(with: "another value") }  // no effect
/// view.state.apply(SearchView.locked()) { finished in assert(finished) }
/// assert(view.keyword == "something" && !view.isEnabled)
/// ```
///
/// A class that belongs to the main actor declares `@MainActor Stateful`. In a subclass the
/// closures receive the class that adopted the protocol.
public protocol Stateful: Dispatching {
  /// The transition of states that have none of their own (default: instant).
  static var defaultOnSetTransition: FunctionalTransition<Subject> { get }
  /// The transition of updates that have none of their own (default: instant).
  static var defaultOnUpdateTransition: FunctionalTransition<Subject> { get }
  /// The time limit of transitions that have none of their own (default: unlimited).
  static var transitionTimeLimit: TransitionTimeLimit? { get }
  /// The states that an inspector can apply by name and arguments (default: none).
  static var dispatchable: [DispatchableState<Subject>] { get }
}

extension Stateful {
  /// Runs the mutations immediately.
  public static var defaultOnSetTransition: FunctionalTransition<Subject> { Transitions.instant() }
  /// Runs the mutations immediately.
  public static var defaultOnUpdateTransition: FunctionalTransition<Subject> {
    Transitions.instant()
  }
  /// No limit.
  public static var transitionTimeLimit: TransitionTimeLimit? { nil }
  /// None.
  public static var dispatchable: [DispatchableState<Subject>] { [] }

  /// Makes a state whose identity is the name of the function that calls this.
  ///
  /// Only its name is recorded.
  public static func state(
    name: String = #function, via transition: FunctionalTransition<Subject>? = nil,
    _ onSet: @escaping (Subject) -> Void
  ) -> FunctionalState<Subject> {
    makeState(name, nil, transition, onSet)
  }

  /// Makes a state whose arguments are recorded with its name.
  ///
  /// ```swift
  /// final class SearchView: Stateful {
  ///   var keyword = ""
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func awaiting(with keyword: String) -> State {
  ///     state(keyword) { $0.keyword = keyword }
  ///   }
  /// }
  /// let view = SearchView()
  /// view.state.apply { $0.awaiting(with: "x") }
  /// assert(view.state.current?.arguments?.values.first as? String == "x")
  /// ```
  public static func state<First: Codable & Sendable, each Rest: Codable & Sendable>(
    _ first: First, _ rest: repeat each Rest, name: String = #function,
    via transition: FunctionalTransition<Subject>? = nil, _ onSet: @escaping (Subject) -> Void
  ) -> FunctionalState<Subject> {
    makeState(name, FunctionalArguments(first, repeat each rest), transition, onSet)
  }

  private static func makeState(
    _ name: String, _ arguments: FunctionalArguments?,
    _ transition: FunctionalTransition<Subject>?, _ onSet: @escaping (Subject) -> Void
  ) -> FunctionalState<Subject> {
    FunctionalState(
      name: name, arguments: arguments,
      onSet: FunctionalState<Subject>.Mutation(
        mutations: onSet, transition: transition, typeTransition: defaultOnSetTransition),
      typeUpdateTransition: defaultOnUpdateTransition, timeLimit: transitionTimeLimit)
  }
}
