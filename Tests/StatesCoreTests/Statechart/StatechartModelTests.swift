import StatesCore
import TestSupport
import Testing

/// Every sequence of transitions on small charts, against models that are written another way.
@Suite("Statechart: small worlds")
struct StatechartModelTests {
  /// A tree of six states; `parents` is all there is to say about it.
  static let parents = ["a": "root", "b": "a", "c": "a", "d": "root", "e": "d"]
  static let names = ["root", "a", "b", "c", "d", "e"]

  /// A hook that goes to a state.
  struct Hook: Hashable {
    let state: String
    let onEnter: Bool
    let target: String
  }

  static let allHooks: [Hook] = names.flatMap { state in
    [true, false].flatMap { onEnter in
      names.map { Hook(state: state, onEnter: onEnter, target: $0) }
    }
  }.filter { $0.state != "root" }

  private func makeChart(
    _ hooks: [Hook], _ dispatch: ChartDispatch
  ) throws -> Statechart<NoChartValue> {
    func state(_ name: String) -> ChartState<NoChartValue, ChartHandler<NoChartValue>> {
      ChartState(name) {
        for hook in hooks where hook.state == name {
          if hook.onEnter { OnEnter(goTo: hook.target) } else { OnExit(goTo: hook.target) }
        }
        for child in Self.names where Self.parents[child] == name { state(child) }
      }
    }
    return try Statechart(options: ChartOptions(dispatch: dispatch)) {
      On("go", String.self) { $0.goTo($1) }
      state("a")
      state("d")
    }
  }

  @Test("without hooks every sequence of four goTos visits what the tree says")
  func sequencesWithoutHooksMatchTree() throws {
    for sequence in sequences(of: Self.names, length: 4) {
      let chart = try makeChart([], .queued)
      var model = Model(hooks: [])
      for target in sequence {
        try chart.send("go", target)
        model.goQueued(target)
        try #require(chart.lastReport.visits.map(\.description) == model.visits, "\(sequence)")
        try #require(chart.current == model.current, "\(sequence)")
        try #require(chart.path == model.path, "\(sequence)")
      }
    }
  }

  @Test("with any one hook, and many pairs, both modes do what their model does")
  func hooksMatchModel() throws {
    var generator = SeededGenerator(seed: 20_240_611)
    var worlds = Self.allHooks.map { [$0] }
    for _ in 0..<30 {
      worlds.append([
        Self.allHooks.randomElement(using: &generator)!,
        Self.allHooks.randomElement(using: &generator)!,
      ])
    }
    var compared = 0
    var capped = 0
    for hooks in worlds {
      for sequence in sequences(of: Self.names, length: 2) {
        for dispatch in [ChartDispatch.queued, .immediate] {
          let chart = try makeChart(hooks, dispatch)
          var model = Model(hooks: hooks)
          for target in sequence {
            let outcome = dispatch == .queued ? model.goQueued(target) : model.goAtOnce(target)
            let comment: Comment = "\(hooks) \(sequence) \(dispatch)"
            do {
              try chart.send("go", target)
            } catch {
              // What the model cannot finish must not finish in the chart either.
              try #require(outcome != .finished, comment)
              try #require(chart.checkInvariants() == [], comment)
              capped += 1
              break
            }
            try #require(outcome != .endless, comment)
            // StateKit stops the program where a hook moved the chart off the way down.
            if outcome == .undefined { break }
            try #require(chart.lastReport.visits.map(\.description) == model.visits, comment)
            try #require(chart.path == model.path, comment)
            compared += 1
          }
          try #require(chart.checkInvariants() == [])
        }
      }
    }
    // Both kinds of world must occur, or the comparison is empty.
    #expect(compared > 4000)
    #expect(capped > 200)
  }

  private func sequences(of names: [String], length: Int) -> [[String]] {
    guard length > 0 else { return [[]] }
    return sequences(of: names, length: length - 1).flatMap { start in
      names.map { start + [$0] }
    }
  }
}

/// A model of a chart with lists of names instead of positions and lineages.
private struct Model {
  enum Outcome { case finished, endless, undefined }

  let hooks: [StatechartModelTests.Hook]
  var current = "root"
  var visits: [String] = []
  var nested = 0

  init(hooks: [StatechartModelTests.Hook]) { self.hooks = hooks }

  var path: [String] { wayUp(from: current).reversed() }

  /// A state and everything above it, the root last.
  func wayUp(from name: String) -> [String] {
    [name] + (StatechartModelTests.parents[name].map { wayUp(from: $0) } ?? [])
  }

  func targets(_ state: String, onEnter: Bool) -> [String] {
    hooks.filter { $0.state == state && $0.onEnter == onEnter }.map(\.target)
  }

  /// Run to completion: each transition is computed as a whole, then its hooks' wishes follow.
  @discardableResult
  mutating func goQueued(_ target: String) -> Outcome {
    visits = []
    var wishes = [target]
    for _ in 0..<100 {
      guard !wishes.isEmpty else { return .finished }
      let next = wishes.removeFirst()
      let up = wayUp(from: current)
      let down = wayUp(from: next)
      for state in up where !down.contains(state) {
        visits.append("exited \(state)")
        wishes += targets(state, onEnter: false)
      }
      for state in down.reversed() where !up.contains(state) {
        visits.append("entered \(state)")
        wishes += targets(state, onEnter: true)
      }
      current = next
    }
    return wishes.isEmpty ? .finished : .endless
  }

  /// StateKit: pop until on the list of the target and its ancestors, then walk that list down.
  mutating func goAtOnce(_ target: String) -> Outcome {
    visits = []
    nested = 0
    return goNested(target)
  }

  private mutating func goNested(_ target: String) -> Outcome {
    nested += 1
    guard nested <= 100 else { return .endless }
    let list = wayUp(from: target)
    while !list.contains(current) {
      let left = current
      current = StatechartModelTests.parents[left] ?? "root"
      visits.append("exited \(left)")
      for next in targets(left, onEnter: false) {
        let outcome = goNested(next)
        guard outcome == .finished else { return outcome }
      }
    }
    for state in list.reversed().drop(while: { $0 != current }).dropFirst() {
      guard StatechartModelTests.parents[state] == current else { return .undefined }
      current = state
      visits.append("entered \(state)")
      for next in targets(state, onEnter: true) {
        let outcome = goNested(next)
        guard outcome == .finished else { return outcome }
      }
    }
    return .finished
  }
}
