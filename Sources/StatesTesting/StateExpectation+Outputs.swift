import StatesCore

extension StateExpectation {
  /// Throws unless the output `name` equals `expected`.
  ///
  /// ```swift
  /// struct Lamp: Reducible {
  ///   var isOn = false
  ///   enum Event { case pressed }
  ///   static func reduce(state: Lamp, event: Event) -> Lamp { Lamp(isOn: !state.isOn) }
  ///   static var outputs: Outputs<Lamp> { Output("color") { $0.isOn ? "white" : "black" } }
  /// }
  /// try expect(Lamp()).after(.pressed).to(output: "color", equal: "white")
  /// ```
  @discardableResult
  public func to<Value: Equatable>(
    output name: String, equal expected: Value, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) throws -> StateExpectation {
    let place = (fileID, filePath, line, column)
    let wanted = "output \"\(name)\" to equal \(describe(expected))"
    guard let output = State.outputs[name] else {
      return try check(false, wanted, noSuchOutput, at: place)
    }
    let found = output.value(in: state)
    return try check(
      found.isEqual(to: expected), wanted, "it is \(found.text)", at: place)
  }

  /// Throws unless the output `name` fires or has a value.
  ///
  /// ```swift
  /// struct Bell: Reducible {
  ///   var rings = 0
  ///   enum Event { case pushed }
  ///   static func reduce(state: Bell, event: Event) -> Bell { Bell(rings: state.rings + 1) }
  ///   static var outputs: Outputs<Bell> { Output("ring") { $0.rings > 0 ? () : nil } }
  /// }
  /// try expect(Bell()).notToFire("ring").after(.pushed).toFire("ring")
  /// ```
  @discardableResult
  public func toFire(
    _ name: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> StateExpectation {
    try check(fires(name), "output \"\(name)\" to fire", at: (fileID, filePath, line, column))
  }

  /// Throws if the output `name` fires or has a value.
  @discardableResult
  public func notToFire(
    _ name: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> StateExpectation {
    try check(
      fires(name).map { !$0 }, "output \"\(name)\" not to fire",
      at: (fileID, filePath, line, column))
  }

  /// Whether an output fires or has a value; `nil` if there is no such output.
  private func fires(_ name: String) -> Bool? {
    guard let value = State.outputs[name]?.value(in: state) else { return nil }
    if case .none = value { return false }
    return true
  }

  private func check(
    _ isMet: Bool?, _ expected: String,
    at place: (fileID: String, filePath: String, line: Int, column: Int)
  ) throws -> StateExpectation {
    try check(
      isMet ?? false, expected, isMet == nil ? noSuchOutput : "the opposite is true",
      at: place)
  }

  private var noSuchOutput: String {
    let names = State.outputs.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return "\(State.self) has no such output; its outputs: \(names.isEmpty ? "none" : names)"
  }
}

extension OutputValue {
  /// The value in failure messages.
  var text: String {
    switch self {
    case .value(let value): describe(value)
    case .reflected(let value): describe(value)
    case .fired: "firing"
    case .none: "nil"
    }
  }

  /// Whether the output equals a value. `nil` equals an output that does not fire.
  func isEqual<Value: Equatable>(to expected: Value) -> Bool {
    switch self {
    case .value(let value): value as? Value == expected
    case .reflected(let value): value as? Value == expected
    case .fired: false
    case .none: isNil(expected)
    }
  }
}

private func isNil(_ value: Any) -> Bool {
  let mirror = Mirror(reflecting: value)
  return mirror.displayStyle == .optional && mirror.children.isEmpty
}
