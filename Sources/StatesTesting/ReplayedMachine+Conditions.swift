internal import JSONCore
internal import Predicates
internal import Timelines

extension ReplayedMachine {
  /// Fails as soon as a predicate holds: now, or after any later event.
  ///
  /// Call it before the first event to get a test that fails until a failure is fixed, whatever the
  /// right values are. The predicate is a filter, and reads the state, the outputs, the event, and
  /// `error`.
  ///
  /// ```swift
  /// struct Basket: Reducible, Codable {
  ///   var total = 0
  ///   enum Event: Codable { case added(cents: Int), removed(cents: Int) }
  ///   static func reduce(state: Basket, event: Event) -> Basket {
  ///     switch event {
  ///     case .added(let cents): Basket(total: state.total + cents)
  ///     case .removed(let cents): Basket(total: max(0, state.total - cents))
  ///     }
  ///   }
  /// }
  /// let basket = try ReplayedMachine(reducible: Basket.self, from: ["total": 0])
  /// try basket.expect(never: "state.total < 0")
  /// try basket.send(.added(cents: 100))
  /// try basket.send(.removed(cents: 150))
  /// try basket.expect("state.total == 0")
  /// ```
  @discardableResult
  public func expect(
    never predicate: String, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    try add(.never(predicate), at: Place(fileID, filePath, line, column))
    return self
  }

  /// Fails as soon as a predicate does not hold: now, or after any later event.
  @discardableResult
  public func expect(
    always predicate: String, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    try add(.always(predicate), at: Place(fileID, filePath, line, column))
    return self
  }

  /// Fails unless a predicate holds now.
  ///
  /// Also fails if the last event failed, unless the predicate reads `error`.
  @discardableResult
  public func expect(
    _ predicate: String, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    let place = Place(fileID, filePath, line, column)
    let condition = ReplayCondition.finally(predicate)
    if try readsError(condition) { acceptError() } else { try checkError(at: place) }
    return try check(problem(with: condition), at: place)
  }

  private func readsError(_ condition: ReplayCondition) throws -> Bool {
    guard let predicate = try? Predicate(condition.text) else { return false }
    return predicate.paths.contains { $0.root == .error }
  }

  /// Fails if the last event changed the state or an output.
  @discardableResult
  public func toChangeNothing(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    try toChange(outputs: [:], fileID: fileID, filePath: filePath, line: line, column: column)
      .toChange(state: [:], fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Fails if the last event changed an output. The state may change.
  @discardableResult
  public func toChangeNoOutputs(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    try toChange(outputs: [:], fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
