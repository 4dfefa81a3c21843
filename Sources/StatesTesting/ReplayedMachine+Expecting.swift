internal import JSONCore
internal import Timelines

extension ReplayedMachine {
  /// Fails unless the last event changed exactly these outputs to these values.
  ///
  /// A removed output is `nil`. An array is a patch (RFC 6902) of the outputs, for a large value that
  /// changed in one place.
  ///
  /// ```swift
  /// struct Bell: Reducible, Codable {
  ///   var rings = 0
  ///   enum Event: String, Codable { case pushed }
  ///   static func reduce(state: Bell, event: Event) -> Bell { Bell(rings: state.rings + 1) }
  ///   static var outputs: Outputs<Bell> {
  ///     Output("rings", \.rings)
  ///     Output("isLoud") { $0.rings > 1 ? true : nil }
  ///   }
  /// }
  /// let bell = try ReplayedMachine(reducible: Bell.self, from: ["rings": 0])
  /// try bell.send(.pushed).toChange(outputs: ["rings": 1])
  /// try bell.send(.pushed).toChange(outputs: ["rings": 2, "isLoud": true])
  /// ```
  @discardableResult
  public func toChange(
    outputs: RecordedValue, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    try compare(
      change: outputs, "outputs", before.outputs, now.outputs,
      at: Place(fileID, filePath, line, column))
  }

  /// Fails unless the last event changed exactly these members of the state to these values.
  ///
  /// A removed member is `nil`. An array is a patch (RFC 6902) of the state.
  @discardableResult
  public func toChange(
    state: RecordedValue, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    try compare(
      change: state, "state", before.state, now.state, at: Place(fileID, filePath, line, column))
  }

  /// Fails unless the outputs equal `outputs`.
  @discardableResult
  public func to(
    outputs: RecordedValue, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    try compare(
      "outputs", outputs.value(), now.outputs, at: Place(fileID, filePath, line, column))
  }

  /// Fails unless the state equals `state`.
  @discardableResult
  public func to(
    state: RecordedValue, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    try compare("state", state.value(), now.state, at: Place(fileID, filePath, line, column))
  }

  /// Fails unless the value at a path equals `expected`. The path begins with `/state` or `/outputs`,
  /// and a missing value is `nil`.
  @discardableResult
  public func to(
    _ path: String, equal expected: RecordedValue, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    let place = Place(fileID, filePath, line, column)
    try checkError(at: place)
    let pointer = try Pointer(path)
    let found = try now.value(at: pointer) ?? .null
    let wanted = try expected.value()
    let rest = Pointer(tokens: Array(pointer.tokens.dropFirst()))
    let root = pointer.tokens.first ?? ""
    if visible(found, below: root, at: rest) == visible(wanted, below: root, at: rest) {
      return self
    }
    return try check(
      Difference.all(from: wanted, to: found, at: pointer).map(\.text), at: place)
  }

  /// The value at a path without its ignored parts.
  private func visible(_ json: JSON, below root: String, at path: Pointer) -> JSON {
    var whole = json
    for token in path.tokens.reversed() {
      var object = JSON.Object()
      object[token] = whole
      whole = .object(object)
    }
    return visible(whole, below: root)
  }

  private func compare(
    _ root: String, _ expected: JSON, _ found: JSON, at place: Place
  ) throws -> ReplayedMachine {
    try checkError(at: place)
    let differences = Difference.all(
      from: visible(expected, below: root), to: visible(found, below: root), below: root)
    return try check(differences.map(\.text), at: place)
  }

  private func compare(
    change: RecordedValue, _ root: String, _ before: JSON, _ now: JSON, at place: Place
  ) throws -> ReplayedMachine {
    try checkError(at: place)
    let change = try change.value()
    let (before, now) = (visible(before, below: root), visible(now, below: root))
    guard let expected = change.object else {
      return try compare(patch: change, root, before, now, at: place)
    }
    let (old, new) = (before.object ?? JSON.Object(), now.object ?? JSON.Object())
    let wanted = visible(change, below: root).object ?? expected
    var differences: [Difference] = []
    for (key, value) in wanted where (new[key] ?? .null) != value {
      differences.append(Difference(Pointer(tokens: [root, key]), value, new[key]))
    }
    for key in Set(old.keys).union(new.keys).sorted() where wanted[key] == nil {
      // A new member that is ignored is null on one side only.
      guard (old[key] ?? .null) != (new[key] ?? .null) else { continue }
      differences.append(Difference(Pointer(tokens: [root, key]), old[key], new[key]))
    }
    return try check(differences.map(\.text), at: place)
  }

  private func compare(
    patch: JSON, _ root: String, _ before: JSON, _ now: JSON, at place: Place
  ) throws -> ReplayedMachine {
    var expected = before
    do {
      try expected.apply(try Patch(patch))
    } catch {
      return try check(
        ["The patch cannot be applied to the values before the event: \(error)"], at: place)
    }
    let differences = Difference.all(
      from: visible(expected, below: root), to: now, below: root)
    return try check(differences.map(\.text), at: place)
  }
}
