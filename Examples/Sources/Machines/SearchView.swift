import StatesCore

/// A search field and its list, as one object that is always in one of five states.
package final class SearchView: Stateful {
  package private(set) var keyword = ""
  package private(set) var rows: [String] = []
  package private(set) var isEnabled = true
  package private(set) var message: String?
  package private(set) lazy var state = Dispatcher(for: self)

  package init() {}

  /// Waits for input.
  package static func awaiting(with keyword: String) -> State {
    state(keyword) {
      $0.keyword = keyword
      $0.isEnabled = true
      $0.message = nil
    }.alsoOnUpdate()
  }

  /// Waits for the answer.
  package static func searching() -> State {
    state {
      $0.isEnabled = false
      $0.rows = []
    }
  }

  /// Shows the results.
  package static func showing(_ rows: [String]) -> State {
    state(rows) {
      $0.isEnabled = true
      $0.rows = rows
    }.alsoOnUpdate()
  }

  /// Shows that nothing was found.
  package static func empty() -> State {
    state {
      $0.isEnabled = true
      $0.message = "Nothing was found."
    }
  }

  /// Ignores input.
  package static func locked() -> State { state { $0.isEnabled = false } }

  package static var dispatchable: [Dispatchable] {
    [
      Dispatchable("awaiting(with:)", awaiting(with:)), Dispatchable("showing(_:)", showing(_:)),
      Dispatchable(searching), Dispatchable(empty), Dispatchable(locked),
    ]
  }
}
