/// An object that has a dispatcher: the part of ``Stateful`` that determines the class of the
/// states.
///
/// Classes adopt ``Stateful``. This part is a separate protocol so that a class can declare its own
/// transitions with the short name, `static var defaultOnSetTransition: Transition`: the compiler
/// resolves the short name here, without type-checking those declarations first.
///
/// ```swift
/// final class Lamp: Stateful {
///   private(set) lazy var state = Dispatcher(for: self)
/// }
/// func isUsed(_ object: some Dispatching) -> Bool { object.state.current != nil }
/// assert(!isUsed(Lamp()))
/// ```
public protocol Dispatching: AnyObject {
  /// The class whose states these are.
  associatedtype Subject: AnyObject = Self

  /// Applies states to the object; `private(set) lazy var state = Dispatcher(for: self)`.
  var state: Dispatcher<Subject> { get }
}

extension Dispatching {
  /// A state of this class.
  public typealias State = FunctionalState<Subject>
  /// A transition of this class.
  public typealias Transition = FunctionalTransition<Subject>
  /// A state of this class that can be applied by name.
  public typealias Dispatchable = DispatchableState<Subject>
}
