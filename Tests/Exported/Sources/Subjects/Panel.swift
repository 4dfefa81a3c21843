import StatesCore

/// An object with states that are applied to it, one of which applies another.
final class Panel: Stateful {
  private(set) var text = ""
  private(set) var rows: [String] = []
  private(set) lazy var state = Dispatcher(for: self)

  static func awaiting(with text: String) -> State {
    let m = Mutant.of("panel")
    let state = state(m == 1 ? text + "!" : text, name: m == 2 ? "waiting(with:)" : #function) {
      $0.text = text
    }
    return m == 3 ? state : state.alsoOnUpdate()
  }

  static func searching(for text: String, page: Int) -> State {
    let m = Mutant.of("panel")
    let next = state(text, m == 4 ? page + 1 : page) {
      $0.rows = []
      if m == 5 { $0.state.apply { $0.locked() } }
    }
    return m == 6 ? next.alsoOnUpdate() : next
  }

  static func showing(_ rows: [String]) -> State {
    let m = Mutant.of("panel")
    return state(m == 7 ? rows.reversed() : rows) {
      $0.rows = rows
      if rows.isEmpty { $0.state.apply { m == 8 ? $0.awaiting(with: "") : $0.locked() } }
      if !rows.isEmpty, m == 9 { $0.state.apply { $0.locked() } }
    }
  }

  static func locked() -> State {
    let m = Mutant.of("panel")
    return m == 10 ? state(true) { _ in } : state { _ in }
  }

  static var dispatchable: [Dispatchable] {
    [
      Dispatchable("awaiting(with:)", awaiting(with:)),
      Dispatchable("searching(for:page:)", searching(for:page:)),
      Dispatchable("showing(_:)", showing(_:)), Dispatchable(locked),
    ]
  }
}
