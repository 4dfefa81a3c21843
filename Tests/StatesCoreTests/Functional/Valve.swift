import StatesCore

/// An object with states of every sort, which writes down what is done to it.
class Valve: Stateful {
  var log: [String] = []
  private(set) lazy var state = Dispatcher(for: self)

  class func open(_ width: Int) -> State {
    state(width) { $0.log.append("open \(width)") }
      .onUpdate { $0.log.append("widen \(width)") }
  }

  class func shut() -> State {
    state { $0.log.append("shut") }
  }

  static func moved(to place: String, at speed: Double) -> State {
    state(place, speed) { $0.log.append("moved to \(place)") }.alsoOnUpdate()
  }

  static var dispatchable: [Dispatchable] {
    [Dispatchable(shut), Dispatchable("moved(to:at:)", moved(to:at:))]
  }
}

/// A transition that is driven by hand.
final class HandMade {
  typealias Run = (mutate: () -> Void, complete: (Bool) -> Void)

  private(set) var runs: [Run] = []

  /// Mutates at once and waits to be completed.
  var transition: FunctionalTransition<Valve> {
    { [self] _, mutations, completion in
      mutations()
      runs.append((mutations, completion))
    }
  }

  /// Does nothing by itself.
  var idle: FunctionalTransition<Valve> {
    { [self] _, mutations, completion in runs.append((mutations, completion)) }
  }

  /// Completes the transition that is under way, and forgets it.
  func complete(_ finished: Bool = true) {
    guard !runs.isEmpty else { return }
    runs.removeFirst().complete(finished)
  }

  /// Forgets a run without completing it.
  func drop() { runs.removeFirst() }
}

/// The phase in words, as the tests compare it.
func describe(_ phase: Dispatcher<Valve>.Phase) -> String {
  switch phase {
  case .ready(let item): "ready \(item?.title ?? "-")"
  case .inTransition(let from, let to): "\(from?.title ?? "-") to \(to.title)"
  }
}
