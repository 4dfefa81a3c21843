import StatesCore

extension Group {
  /// The cost of a machine without its reducer.
  static let machines = Group(
    name: "machines",
    summary: "sending to machines",
    metrics: [
      Metric(
        "machines.send_vs_minimal", "times the time of the smallest hand-written store",
        goal: .atMost(1.5)),
      Metric(
        "machines.allocations_per_send", "objects allocated, without observers",
        goal: .atMost(0)),
      Metric("machines.send_tapped_vs_minimal", "the same, with the recorder's slot in use"),
      Metric("machines.send_observed_ns", "ns a send that one observer sees"),
      Metric("machines.form_applies_per_s", "events a second, with a history of 100"),
      Metric("machines.statechart_sends_per_s", "messages a second, two of three transitions"),
      Metric("machines.feedback_events_per_s", "events a second, half of them from effects"),
    ]
  ) { measure in
    var values: [String: Double] = [:]
    let events = Cart.events
    let machine = Machine(Cart())
    let minimal = MinimalStore(Cart(), Cart.reduce(state:event:))
    let observed = Machine(Cart())
    observed.subscribe { use($0.total) }
    let tapped = Machine(Cart())
    let taps = TapCounter()
    tapped.kernel.tap = Tap(
      willHandle: { _ in taps.willHandle &+= 1 }, didHandle: { _, _, _ in taps.didHandle &+= 1 })
    let form = StateForm(state: Cart(), reducer: Cart.reduce(state:event:))

    let times = try measure.inTurns([
      { for event in events { machine.send(event) } },
      { for event in events { minimal.send(event) } },
      { for event in events { observed.send(event) } },
      { for event in events { form.apply(event) } },
      { for event in events { tapped.send(event) } },
    ])
    guard machine.state.total == machine.kernel.number / events.count * Cart.addedByEvents else {
      throw BenchmarkError("the machine did not handle its events")
    }
    guard taps.willHandle > 0, taps.willHandle == taps.didHandle else {
      throw BenchmarkError("the tap did not see its events")
    }
    values["machines.send_vs_minimal"] = times[0] / times[1]
    values["machines.send_tapped_vs_minimal"] = times[4] / times[1]
    values["machines.send_observed_ns"] = times[2] / Double(events.count)
    values["machines.form_applies_per_s"] = 1e9 * Double(events.count) / times[3]
    try measureLarger(measure, &values)

    let sends = 100_000
    let check = try AllocationCounter.count { for number in 0..<100 { use([number]) } }
    guard check >= 100 else { throw BenchmarkError("allocations are not counted") }
    // No literal may be in the state; see `AllocationCounter`.
    machine.send(.noted("a note that is built at run time, number \(sends)"))
    // Only events whose reducer does not allocate.
    let allocations = try AllocationCounter.count {
      for number in 0..<sends { machine.send(.added(number)) }
    }
    values["machines.allocations_per_send"] = Double(allocations) / Double(sends)
    return values
  }
}

/// Counts the tap's calls, the minimum work of a recorder.
private final class TapCounter {
  var willHandle = 0
  var didHandle = 0
}

/// Measures the kinds without a comparison.
private func measureLarger(_ measure: Measure, _ values: inout [String: Double]) throws {
  let chart = try SampleChart.make()
  try chart.start()
  let run = SampleRun()
  let messages = SampleChart.messages
  var rounds = 0
  let times = try measure.inTurns([
    {
      rounds += 1
      for message in messages { try chart.send(message) }
    },
    { run.search() },
  ])
  guard chart.value.opened == rounds * SampleChart.openedByMessages, chart.current == "loading"
  else { throw BenchmarkError("the chart did not handle its messages") }
  guard run.answers == run.searches else {
    throw BenchmarkError("the run did not answer its queries")
  }
  values["machines.statechart_sends_per_s"] = 1e9 * Double(messages.count) / times[0]
  values["machines.feedback_events_per_s"] = 1e9 * Double(SampleRun.eventsPerSearch) / times[1]
}

/// A minimal store, without cancellation and restoring.
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

/// A typical state of an app: some text, a list, and a few numbers.
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

  /// Not inlined, so that the optimizer cannot remove a loop of sends.
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
