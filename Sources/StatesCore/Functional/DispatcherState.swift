/// The complete state of a ``Dispatcher``, without its object: where it stands, and what waits.
///
/// It is a value of its own, so that a recording can be run again without the object and without
/// transitions: ``handling(_:)`` is all there is to a dispatcher but the closures.
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
    /// Which application this is; the first one is 1.
    public let id: Int
    /// The name of the function that made the state: its identity.
    public let name: String
    /// The arguments, when the state names them.
    public let arguments: Arguments?
    /// Whether the state does something when it is applied while it is the current one.
    public let updates: Bool

    /// Names an item.
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
    /// Nothing is under way; the item is the current state.
    case ready(Item?)
    /// A transition is under way.
    case inTransition(from: Item?, to: Item)
  }

  /// What the dispatcher is doing.
  public var phase: Phase = .ready(nil)
  /// What waits for the transition under way, in order.
  public var queue: [Item] = []
  /// How many states were applied so far.
  public var applied = 0

  /// Makes the state of a dispatcher to which nothing was applied.
  public init() {}

  /// The current state; during a transition still the one before it.
  public var current: Item? {
    switch phase {
    case .ready(let item): item
    case .inTransition(let from, _): from
    }
  }

  /// What the transition under way leads to.
  public var target: Item? {
    if case .inTransition(_, let to) = phase { to } else { nil }
  }

  /// Whether the transition under way applies the state that is current already.
  public var isUpdating: Bool { target.map { $0.name == current?.name } ?? false }

  /// The state after an event; nil when it comes to nothing.
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
      // An update that changes nothing leaves the arguments that are really in effect.
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

  /// Takes the first item from the queue. Whether it is a set or an update is decided here.
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
  /// A state was applied; `updates` tells whether it does something while it is current.
  case apply(name: String, arguments: Arguments?, updates: Bool)
  /// The first item in the queue was taken, because the transition before it was over.
  case began
  /// The transition to the item of that number is over.
  case completed(id: Int, finished: Bool)
  /// What waited was forgotten.
  case cleared
  /// The current state was given up: there is none now.
  case reset
  /// Somebody broke the rules of a transition; nothing changed.
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
