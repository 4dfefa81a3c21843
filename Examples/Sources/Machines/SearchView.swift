import StatesCore

/// A search field and its list, as one object that is always in one of five states.
public final class SearchView: Stateful {
  public private(set) var keyword = ""
  public private(set) var rows: [String] = []
  public private(set) var isEnabled = true
  public private(set) var message: String?
  public private(set) lazy var state = Dispatcher(for: self)

  public init() {}

  /// Waits for somebody to type.
  public static func awaiting(with keyword: String) -> State {
    state(keyword) {
      $0.keyword = keyword
      $0.isEnabled = true
      $0.message = nil
    }.alsoOnUpdate()
  }

  /// Waits for the answer.
  public static func searching() -> State {
    state {
      $0.isEnabled = false
      $0.rows = []
    }
  }

  /// Shows what was found.
  public static func showing(_ rows: [String]) -> State {
    state(rows) {
      $0.isEnabled = true
      $0.rows = rows
    }.alsoOnUpdate()
  }

  /// Says that nothing was found.
  public static func empty() -> State {
    state {
      $0.isEnabled = true
      $0.message = "Nothing was found."
    }
  }

  /// Takes no input.
  public static func locked() -> State { state { $0.isEnabled = false } }

  public static var dispatchable: [Dispatchable] {
    [
      Dispatchable("awaiting(with:)", awaiting(with:)), Dispatchable("showing(_:)", showing(_:)),
      Dispatchable(searching), Dispatchable(empty), Dispatchable(locked),
    ]
  }
}
