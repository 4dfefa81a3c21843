import StatesCore

extension Group {
  /// What a machine costs beside its reducer.
  static let machines = Group(
    name: "machines",
    summary: "sending to machines",
    metrics: [
      Metric(
        "machines.send_vs_minimal", "times the time of the smallest hand-written store",
        goal: .atMost(1.5)),
      Metric(
        "machines.allocations_per_send", "objects allocated, nobody listening",
        goal: .atMost(0)),
      Metric("machines.send_observed_ns", "ns a send that one observer sees"),
      Metric("machines.form_applies_per_s", "events a second, with a history of 100"),
    ]
  ) { measure in
    var values: [String: Double] = [:]
    let events = Cart.events
    let machine = Machine(Cart())
    let minimal = MinimalStore(Cart(), Cart.reduce(state:event:))
    let observed = Machine(Cart())
    observed.subscribe { use($0.total) }
    let form = StateForm(state: Cart(), reducer: Cart.reduce(state:event:))

    let times = try measure.inTurns([
      { for event in events { machine.send(event) } },
      { for event in events { minimal.send(event) } },
      { for event in events { observed.send(event) } },
      { for event in events { form.apply(event) } },
    ])
    guard machine.state.total == machine.kernel.number / events.count * Cart.addedByEvents else {
      throw BenchmarkError("the machine did not handle its events")
    }
    values["machines.send_vs_minimal"] = times[0] / times[1]
    values["machines.send_observed_ns"] = times[2] / Double(events.count)
    values["machines.form_applies_per_s"] = 1e9 * Double(events.count) / times[3]

    let sends = 100_000
    let check = try AllocationCounter.count { for number in 0..<100 { use([number]) } }
    guard check >= 100 else { throw BenchmarkError("allocations are not counted") }
    // Of the events only those whose reducer allocates nothing itself.
    let allocations = try AllocationCounter.count {
      for number in 0..<sends { machine.send(.added(number)) }
    }
    values["machines.allocations_per_send"] = Double(allocations) / Double(sends)
    return values
  }
}

/// The least that can be called a store: no queue's order, no cancelling, no restore.
private final class MinimalStore<State, Event> {
  private(set) var state: State
  private let reduce: (State, Event) -> State
  private var observers: [(State) -> Void] = []
  private var queue: [Event] = []
  private var isHandling = false

  init(_ state: State, _ reduce: @escaping (State, Event) -> State) {
    self.state = state
    self.reduce = reduce
  }

  func send(_ event: Event) {
    guard !isHandling else { return queue.append(event) }
    isHandling = true
    state = reduce(state, event)
    for observer in observers { observer(state) }
    while !queue.isEmpty {
      state = reduce(state, queue.removeFirst())
      for observer in observers { observer(state) }
    }
    isHandling = false
  }
}

/// A state as an app has it: some text, a list, a few numbers.
private struct Cart: Reducible {
  struct Line {
    var name: String
    var count: Int
  }

  enum Event {
    case toggled
    case added(Int)
    case noted(String)
  }

  static let addedByEvents = 3
  static let events: [Event] = [
    .toggled, .added(addedByEvents), .noted("please leave it with the neighbours on the left"),
  ]

  private var lines = (1...20).map {
    Line(name: "a product with a long name, number \($0)", count: $0)
  }
  private var note = "please deliver in the morning, and ring twice"
  private var isLoading = false
  private(set) var total = 0

  /// Not inlined, so that the optimiser cannot fold a loop of sends into nothing.
  @inline(never)
  static func reduce(state: Cart, event: Event) -> Cart {
    var result = state
    switch event {
    case .toggled: result.isLoading.toggle()
    case .added(let count): result.total &+= count
    case .noted(let text): result.note = text
    }
    return result
  }
}
