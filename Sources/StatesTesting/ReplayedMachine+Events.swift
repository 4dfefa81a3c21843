internal import JSONCore
public import StatesCore

// The events of machines that do more than handle their own event type.

extension ReplayedMachine {
  /// Changes a form's state with a patch (RFC 6902), as one of its closures did.
  @discardableResult
  public func change(
    _ patch: RecordedValue, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    try run(
      RecordedValue(["apply": ["patch": patch.value()]]).value().encoded(),
      at: Place(fileID, filePath, line, column))
  }

  /// Undoes changes of a form, back to the state of an entry.
  @discardableResult
  public func undo(
    to entry: Int, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    try run(
      Array(#"{"undo":{"to":\#(entry)}}"#.utf8), at: Place(fileID, filePath, line, column))
  }

  /// Redoes changes of a form, up to the state of an entry.
  @discardableResult
  public func redo(
    to entry: Int, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    try run(
      Array(#"{"redo":{"to":\#(entry)}}"#.utf8), at: Place(fileID, filePath, line, column))
  }
}

extension ReplayedMachine where Event == ChartMessage {
  /// Enters the chart's root again.
  @discardableResult
  public func start(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    try run(Array(#""start""#.utf8), at: Place(fileID, filePath, line, column))
  }

  /// Sends a message with a recorded payload.
  @discardableResult
  public func send(
    _ name: String, _ payload: RecordedValue? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    try run(Self.message(name, payload), at: Place(fileID, filePath, line, column))
  }
}

extension ReplayedMachine {
  /// A message in the form that charts record.
  static func message(_ name: String, _ payload: RecordedValue?) throws -> [UInt8] {
    var body = JSON.Object()
    if let payload { body["_0"] = try payload.value() }
    var object = JSON.Object()
    object[name] = .object(body)
    return JSON.object(object).encoded()
  }
}

extension ReplayedMachine where Event == DispatcherEvent<FunctionalArguments> {
  /// Applies a state by its name, with recorded arguments.
  @discardableResult
  public func apply(
    _ name: String, _ arguments: RecordedValue? = nil, updates: Bool = false,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    var body = JSON.Object()
    body["name"] = .string(name)
    if let arguments { body["arguments"] = try arguments.value() }
    body["updates"] = .bool(updates)
    return try run(
      JSON.object(body).wrapped(in: "apply"), at: Place(fileID, filePath, line, column))
  }

  /// Begins the transition to the first waiting state.
  @discardableResult
  public func begin(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    try run(Array(#"{"began":{}}"#.utf8), at: Place(fileID, filePath, line, column))
  }

  /// Ends the transition to an applied state; `id` is its number, counted from 1.
  @discardableResult
  public func complete(
    _ id: Int, finished: Bool = true, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    try run(
      Array(#"{"completed":{"id":\#(id),"finished":\#(finished)}}"#.utf8),
      at: Place(fileID, filePath, line, column))
  }

  /// Removes all waiting states.
  @discardableResult
  public func clear(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    try run(Array(#"{"cleared":{}}"#.utf8), at: Place(fileID, filePath, line, column))
  }

  /// Leaves the current state.
  @discardableResult
  public func reset(
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    try run(Array(#"{"reset":{}}"#.utf8), at: Place(fileID, filePath, line, column))
  }
}

extension JSON {
  fileprivate func wrapped(in word: String) -> [UInt8] {
    var object = JSON.Object()
    object[word] = self
    return JSON.object(object).encoded()
  }
}
