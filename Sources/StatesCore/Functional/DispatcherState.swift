/// The complete state of a ``Dispatcher``, without its object: its phase and its queue.
///
/// It is a separate value so that a recording can be replayed without the object and without
/// transitions: ``handling(_:)`` is everything a dispatcher does except run closures.
///
/// ```swift
/// var state = DispatcherState<[String]>()
/// for event: DispatcherEvent<[String]> in [
///   .apply(name: "awaiting(with:)", arguments: ["x"], updates: false),
///   .completed(id: 1, finished: true),
/// ] {
///   state = state.handling(event) ?? state
/// }
/// assert(state.current?.title == "awaiting")
/// ```
public struct DispatcherState<Arguments> {
  /// A state that was applied, as data.
  public struct Item {
    /// The number of the application, counted from 1.
    public let id: Int
    /// The name of the function that made the state: its identity.
    public let name: String
    /// The arguments, if the state names them.
    public let arguments: Arguments?
    /// Whether applying the state does something while it is the current one.
    public let updates: Bool

    /// Makes an item.
    public init(id: Int, name: String, arguments: Arguments?, updates: Bool) {
      self.id = id
      self.name = name
      self.arguments = arguments
      self.updates = updates
    }

    /// The name without the parentheses: what to show.
    public var title: String { String(name.prefix { $0 != "(" }) }
  }

  /// What a dispatcher is doing.
  public enum Phase {
    /// No transition is running; the item is the current state.
    case ready(Item?)
    /// A transition is running.
    case inTransition(from: Item?, to: Item)
  }

  /// What the dispatcher is doing.
  public var phase: Phase = .ready(nil)
  /// The states that wait for the running transition to complete, in order.
  public var queue: [Item] = []
  /// The number of states applied so far.
  public var applied = 0

  /// Makes the state of a dispatcher to which nothing was applied.
  public init() {}

  /// The current state; during a transition, the one before it.
  public var current: Item? {
    switch phase {
    case .ready(let item): item
    case .inTransition(let from, _): from
    }
  }

  /// The state that the running transition leads to.
  public var target: Item? {
    if case .inTransition(_, let to) = phase { to } else { nil }
  }

  /// Whether the running transition applies the state that is already current.
  public var isUpdating: Bool { target.map { $0.name == current?.name } ?? false }

  /// The state after an event; nil if the event has no effect.
  public func handling(_ event: DispatcherEvent<Arguments>) -> DispatcherState? {
    var next = self
    switch event {
    case .apply(let name, let arguments, let updates):
      next.applied += 1
      let item = Item(id: next.applied, name: name, arguments: arguments, updates: updates)
      next.queue.append(item)
      if case .ready = phase, queue.isEmpty { next.begin() }
    case .began:
      guard case .ready = phase, !queue.isEmpty else { return nil }
      next.begin()
    case .completed(let id, _):
      guard case .inTransition(let from, let to) = phase, to.id == id else { return nil }
      // An update that does nothing keeps the arguments that are in effect.
      next.phase = .ready(isUpdating && !to.updates ? from : to)
    case .cleared:
      guard !queue.isEmpty else { return nil }
      next.queue = []
    case .reset:
      guard case .ready(.some) = phase else { return nil }
      next.phase = .ready(nil)
    case .failed:
      break
    }
    return next
  }

  /// Starts the first item in the queue. This decides whether it is a set or an update.
  private mutating func begin() {
    phase = .inTransition(from: current, to: queue.removeFirst())
  }
}

/// What happens to a ``Dispatcher``, as data.
///
/// ```swift
/// let event = DispatcherEvent<[String]>.completed(id: 1, finished: false)
/// assert(DispatcherState<[String]>().handling(event) == nil)
/// ```
public enum DispatcherEvent<Arguments> {
  /// A state was applied; `updates` is whether applying it does something while it is current.
  case apply(name: String, arguments: Arguments?, updates: Bool)
  /// The first item in the queue was started, because the transition before it had completed.
  case began
  /// The transition to the item with that number completed.
  case completed(id: Int, finished: Bool)
  /// The queue was cleared.
  case cleared
  /// The current state was reset to nothing.
  case reset
  /// A transition broke its rules; nothing changed.
  case failed(error: DispatchError)
}

extension DispatcherState.Item: Sendable where Arguments: Sendable {}
extension DispatcherState.Item: Equatable where Arguments: Equatable {}
extension DispatcherState.Item: Hashable where Arguments: Hashable {}
extension DispatcherState.Item: Encodable where Arguments: Encodable {}
extension DispatcherState.Item: Decodable where Arguments: Decodable {}
extension DispatcherState.Phase: Sendable where Arguments: Sendable {}
extension DispatcherState.Phase: Equatable where Arguments: Equatable {}
extension DispatcherState.Phase: Hashable where Arguments: Hashable {}
extension DispatcherState: Sendable where Arguments: Sendable {}
extension DispatcherState: Equatable where Arguments: Equatable {}
extension DispatcherState: Hashable where Arguments: Hashable {}
extension DispatcherEvent: Sendable where Arguments: Sendable {}
extension DispatcherEvent: Equatable where Arguments: Equatable {}
extension DispatcherEvent: Hashable where Arguments: Hashable {}
extension DispatcherEvent: Encodable where Arguments: Encodable {}
extension DispatcherEvent: Decodable where Arguments: Decodable {}
