/// One-shot outputs that wait to be handled, first in, first out.
///
/// A state that wants something done once, like showing a message, adds it here and exposes
/// ``first`` as an output; the observer that handled it sends an event that acknowledges it. A
/// second effect then waits behind an unhandled one instead of overwriting it. Each has a ticket,
/// so that two equal effects in a row stay distinct, and acknowledging one twice does not drop the
/// next.
///
/// ```swift
/// struct Commute: Reducible {
///   private var toasts = Pending<String>()
///   enum Event { case wentOffline, producedOutput(ticket: Int) }
///
///   static func reduce(state: Commute, event: Event) -> Commute {
///     var result = state
///     switch event {
///     case .wentOffline: result.toasts.add("You are offline")
///     case .producedOutput(let ticket): result.toasts.acknowledge(ticket)
///     }
///     return result
///   }
///
///   var showToast: Pending<String>.Item? { toasts.first }
/// }
/// let machine = Machine(Commute())
/// machine.react(to: \.showToast) { toast in
///   print(toast.value)
///   machine.send(.producedOutput(ticket: toast.ticket))
/// }
/// machine.send(.wentOffline)
/// assert(machine.state.showToast == nil)
/// ```
public struct Pending<Value> {
  /// A waiting value with its ticket.
  ///
  /// ```swift
  /// var sounds = Pending<String>()
  /// sounds.add("ding")
  /// assert(sounds.first?.ticket == 0 && sounds.first?.value == "ding")
  /// ```
  public struct Item {
    /// Increases by one from item to item.
    public let ticket: Int
    /// What is to be done.
    public let value: Value

    /// Makes an item, for tests that compare with one.
    public init(ticket: Int, value: Value) {
      self.ticket = ticket
      self.value = value
    }
  }

  /// The waiting values, oldest first.
  public private(set) var items: [Item] = []
  private var nextTicket = 0

  /// Makes an empty queue.
  public init() {}

  /// The next value to handle; expose this as the output.
  public var first: Item? { items.first }
  /// The number of waiting values.
  public var count: Int { items.count }
  /// Whether nothing waits.
  public var isEmpty: Bool { items.isEmpty }

  /// Appends a value.
  public mutating func add(_ value: Value) {
    items.append(Item(ticket: nextTicket, value: value))
    nextTicket += 1
  }

  /// Removes the first value, for an acknowledging event that carries no ticket.
  public mutating func acknowledge() {
    if !items.isEmpty { items.removeFirst() }
  }

  /// Removes the value with that ticket; does nothing if it is already gone.
  public mutating func acknowledge(_ ticket: Int) {
    items.removeAll { $0.ticket == ticket }
  }
}

extension Pending: Sendable where Value: Sendable {}
extension Pending: Equatable where Value: Equatable {}
extension Pending: Hashable where Value: Hashable {}
extension Pending: Encodable where Value: Encodable {}
extension Pending: Decodable where Value: Decodable {}
extension Pending.Item: Sendable where Value: Sendable {}
extension Pending.Item: Equatable where Value: Equatable {}
extension Pending.Item: Hashable where Value: Hashable {}
extension Pending.Item: Encodable where Value: Encodable {}
extension Pending.Item: Decodable where Value: Decodable {}
