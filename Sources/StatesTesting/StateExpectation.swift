public import StatesCore

/// Starts an expectation of a state.
///
/// Throws failures, so it works in Swift Testing, XCTest, and Quick.
///
/// ```swift
/// struct Commute: Reducible, Equatable {
///   var isOnline = true
///   var departures = ["10:00", "10:20"]
///   enum Event { case wentOffline, wentOnline }
///   static func reduce(state: Commute, event: Event) -> Commute {
///     switch event {
///     case .wentOffline: Commute(isOnline: false, departures: [])
///     case .wentOnline: Commute(isOnline: true, departures: state.departures)
///     }
///   }
///   static var outputs: Outputs<Commute> { Output("departures", \.departures) }
/// }
/// try expect(Commute()).after(.wentOffline).toTurn { $0.departures.isEmpty }
/// try expect(Commute())
///   .after(.wentOffline, .wentOnline).to(\.isOnline, equal: true)
///   .after(.wentOffline).to(output: "departures", equal: [String]())
/// ```
public func expect<State: Reducible>(_ state: State) -> StateExpectation<State> {
  StateExpectation(state: state, history: EventHistory(start: state))
}

/// A state and the events that led to it; see ``expect(_:)``.
///
/// ```swift
/// struct Window: Reducible, Equatable {
///   var isOpen = false
///   enum Event { case opened }
///   static func reduce(state: Window, event: Event) -> Window { Window(isOpen: true) }
/// }
/// let expectation: StateExpectation<Window> = expect(Window()).after(.opened)
/// try expectation.to(equal: Window(isOpen: true))
/// ```
public struct StateExpectation<State: Reducible> {
  /// The state after all events so far.
  public let state: State
  let history: EventHistory

  /// Returns an expectation of the state after more events.
  public func after(_ events: State.Event...) -> StateExpectation {
    after(events)
  }

  /// Returns an expectation of the state after more events.
  public func after(_ events: [State.Event]) -> StateExpectation {
    var state = self.state
    var history = self.history
    for event in events {
      let next = State.reduce(state: state, event: event)
      history.add(event: event, from: state, to: next)
      state = next
    }
    return StateExpectation(state: state, history: history)
  }

  /// Throws unless `condition` holds for the state.
  @discardableResult
  public func toTurn(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column, _ condition: (State) -> Bool
  ) throws -> StateExpectation {
    try check(
      condition(state), "\(State.self) to turn into what the closure describes",
      "it did not", at: (fileID, filePath, line, column))
  }

  /// Throws if `condition` holds for the state.
  @discardableResult
  public func notToTurn(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column, _ condition: (State) -> Bool
  ) throws -> StateExpectation {
    try check(
      !condition(state), "\(State.self) not to turn into what the closure describes",
      "it did", at: (fileID, filePath, line, column))
  }

  /// Throws unless a value of the state, such as a property, equals `expected`.
  @discardableResult
  public func to<Value: Equatable>(
    _ value: (State) -> Value, equal expected: Value, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) throws -> StateExpectation {
    let found = value(state)
    return try check(
      found == expected, "the value to equal \(describe(expected))",
      "it is \(describe(found))", at: (fileID, filePath, line, column))
  }

  func check(
    _ isMet: Bool, _ expected: String, _ found: String,
    at place: (fileID: String, filePath: String, line: Int, column: Int)
  ) throws -> StateExpectation {
    guard !isMet else { return self }
    let failure = ExpectationFailure(
      text: """
        Expected \(expected) \(history.events), but \(found).
          at \(place.fileID):\(place.line):\(place.column)
        \(history)
        """,
      fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    guard let onFailure else { throw failure }
    onFailure(failure)
    return self
  }
}

extension StateExpectation where State: Equatable {
  /// Throws unless the state equals another. The failure names the properties that differ.
  @discardableResult
  public func to(
    equal expected: State, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> StateExpectation {
    try check(
      state == expected, "\(State.self) to equal another",
      "these differ:\n\(differences(from: expected, to: state))",
      at: (fileID, filePath, line, column))
  }
}
