/// A state of an object, described by what to do to the object.
///
/// A static function of a ``Stateful`` class makes it; inside the class its type is called `State`.
/// The function's name is the state's identity; the arguments are not part of it.
///
/// ```swift
/// final class Lamp: Stateful {
///   var level = 0
///   private(set) lazy var state = Dispatcher(for: self)
///
///   static func on(at level: Int) -> State {
///     state(level) { $0.level = level }
///       .alsoOnUpdate()
///   }
/// }
/// let lamp = Lamp()
/// lamp.state.apply { $0.on(at: 2) }.apply { $0.on(at: 3) }
/// assert(lamp.level == 3)
/// ```
public struct FunctionalState<Subject: AnyObject> {
  /// What to do to the object, and how.
  struct Mutation {
    var mutations: (Subject) -> Void
    var transition: FunctionalTransition<Subject>?
    /// The default transition of its class.
    var typeTransition: FunctionalTransition<Subject>
  }

  /// The state's identity.
  public let name: String
  /// The arguments, if the state names them.
  public let arguments: FunctionalArguments?

  var onSet: Mutation
  var onUpdate: Mutation?
  /// The transition of an update that has none of its own.
  var typeUpdateTransition: FunctionalTransition<Subject>
  var timeLimit: TransitionTimeLimit?

  /// Adds what to do when the state is applied while it is the current one.
  ///
  /// ```swift
  /// final class Counter: Stateful {
  ///   var started = 0, updated = 0
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func counting() -> State {
  ///     state { $0.started += 1 }
  ///       .onUpdate { $0.updated += 1 }
  ///   }
  /// }
  /// let counter = Counter()
  /// counter.state.apply { $0.counting() }.apply { $0.counting() }
  /// assert(counter.started == 1 && counter.updated == 1)
  /// ```
  public func onUpdate(
    via transition: FunctionalTransition<Subject>? = nil, _ mutations: @escaping (Subject) -> Void
  ) -> FunctionalState {
    var copy = self
    copy.onUpdate = Mutation(
      mutations: mutations, transition: transition, typeTransition: typeUpdateTransition)
    return copy
  }

  /// Runs the same closure when the state is applied while it is the current one.
  public func alsoOnUpdate(
    via transition: FunctionalTransition<Subject>? = nil
  ) -> FunctionalState {
    onUpdate(via: transition ?? onSet.transition, onSet.mutations)
  }

  /// Limits how long the state's transitions may take.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on() -> State { state { _ in }.limited(to: TransitionTimeLimit(.seconds(1))) }
  /// }
  /// Lamp().state.apply { $0.on() }
  /// ```
  public func limited(to limit: TransitionTimeLimit) -> FunctionalState {
    var copy = self
    copy.timeLimit = limit
    return copy
  }
}
