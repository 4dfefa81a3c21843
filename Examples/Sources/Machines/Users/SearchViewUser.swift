import StatesCore

/// A simulated user who searches, and a view that shows the search.
@MainActor
package func search(in view: SearchView, _ pace: Pace, times: Int) async {
  for _ in 0..<times {
    await pace.rest()
    let word = pace.pick(of: ["tea", "coffee", "water", "zzz"])
    view.state.apply { $0.awaiting(with: word) }
    view.state.apply { $0.searching() }
    await pace.rest(0.5)
    if word == "zzz" {
      view.state.apply { $0.empty() }
    } else {
      let rows = (0..<1 + pace.pick(4)).map { "\(word) \($0)" }
      view.state.apply { $0.showing(rows) }
    }
  }
}
