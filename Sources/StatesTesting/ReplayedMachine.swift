internal import JSONCore
internal import Replaying
internal import Timelines

/// Runs a recorded machine again in a test, event by event. Failed expectations are thrown.
///
/// ```swift
/// struct Coin: Reducible, Codable {
///   var isHeads = true
///   enum Event: String, Codable { case flipped }
///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
///   static var outputs: Outputs<Coin> { Output("side") { $0.isHeads ? "Heads" : "Tails" } }
/// }
/// let coin = try ReplayedMachine(reducible: Coin.self, from: ["isHeads": true])
/// try coin.send(.flipped).toChange(outputs: ["side": "Tails"])
/// try coin.to(state: ["isHeads": false])
/// ```
///
/// Observers, effects, and transitions do not run: their events are in the recording. Values are
/// compared in their recorded form.
public final class ReplayedMachine<Event> {
  private let replayer: any Replayer
  private let encode: (Event) throws -> [UInt8]
  private var events: [String] = []
  private var hidden: [Pointer] = []
  private var problem: String?
  /// The events that started no effect, or were left out, by their numbers.
  private var idle: Set<Int> = []
  private var sentCount = 0
  /// Whether the last event was left out; then nothing is expected of it.
  private var isLeftOut = false
  /// Conditions for every entry.
  private var conditions: [ConditionCheck] = []
  /// The line of the current entry.
  private var line: JSONSlice

  /// The seq of the current entry.
  private(set) var entry: Int64
  /// The values before the last event.
  private(set) var before: Snapshot
  /// The current values.
  private(set) var now: Snapshot

  /// Starts with the initial state or a recorded one.
  init(
    _ replayer: any Replayer, from state: RecordedValue?, outputs: RecordedValue?, entry: Int64,
    encode: @escaping (Event) throws -> [UInt8]
  ) throws {
    self.replayer = replayer
    self.encode = encode
    self.entry = entry
    if let state {
      try replayer.load(state: state.slice(), outputs: outputs?.slice(), seq: entry)
    } else {
      _ = try replayer.begin(seq: entry, t: 0)
    }
    now = try replayer.snapshot()
    before = now
    line = try Self.opening(now, seq: entry)
  }

  /// Sends an event to the machine.
  ///
  /// If the event fails, so does the next expectation, unless `failing` expects it.
  ///
  /// `cause` is the number of the event whose effect sent this one, counted from 1. If that event no
  /// longer starts an effect, this one is left out, with what is expected of it. A machine that
  /// cannot tell whether it starts one gets the event.
  @discardableResult
  public func send(
    _ event: Event, causedBy cause: Int? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    let bytes = try encode(event)
    return try run(
      bytes, as: describe(event), causedBy: cause, at: Place(fileID, filePath, line, column))
  }

  /// Sends a recorded event to the machine.
  ///
  /// `cause` is the number of the event whose effect sent this one, as for an event that is not
  /// recorded.
  @discardableResult
  public func send(
    recorded event: RecordedValue, causedBy cause: Int? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    let bytes = try event.value().encoded()
    return try run(bytes, causedBy: cause, at: Place(fileID, filePath, line, column))
  }

  /// Sets the machine's state, for example after lost entries or when the app restored a state.
  ///
  /// `entry` is the seq of the entry with this state (default: the next one).
  public func restore(
    _ state: RecordedValue, outputs: RecordedValue? = nil, entry: Int? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws {
    self.entry = entry.map(Int64.init) ?? self.entry + 1
    events.append("a state from outside")
    problem = nil
    isLeftOut = false
    try replayer.load(state: state.slice(), outputs: outputs?.slice(), seq: self.entry)
    now = try replayer.snapshot()
    before = now
    self.line = try Self.opening(now, seq: self.entry)
    try checkConditions(before: nil, at: Place(fileID, filePath, line, column))
  }

  /// Ignores the values at these paths, because they were redacted.
  public func ignore(_ paths: String...) throws {
    hidden += try paths.map { try Pointer($0) }
  }

  /// Expects that the last event failed, as it did when it was recorded.
  ///
  /// `error` is the recorded error (default: any error).
  @discardableResult
  public func failing(
    _ error: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    let found = problem
    problem = nil
    // Without `error`, any error is right.
    let expected = error ?? found ?? ""
    return try check(
      ErrorDifference.lines(from: expected, to: found),
      at: Place(fileID, filePath, line, column))
  }

  func run(
    _ event: [UInt8], as text: String? = nil, causedBy cause: Int? = nil, at place: Place
  ) throws -> ReplayedMachine {
    try checkError(at: place)
    sentCount += 1
    isLeftOut = cause.map(idle.contains) ?? false
    if isLeftOut {
      entry += 1
      idle.insert(sentCount)
      events.append((text ?? shortened(String(decoding: event, as: UTF8.self))) + " (left out)")
      return self
    }
    let slice = try JSONSlice(validating: event)
    if let seq = try replayer.missing(for: slice) {
      throw ReplayError(
        .notReplayable(
          why: "The event restores the state of entry \(seq), which is not in this test."))
    }
    entry += 1
    events.append(text ?? shortened(String(decoding: event, as: UTF8.self)))
    before = now
    let draft = try replayer.run(
      PlannedStep(seq: entry, was: entry, t: entry, action: .reduce(slice)))
    now = try replayer.snapshot()
    if replayer.startedEffect == false { idle.insert(sentCount) }
    problem = draft.error
    line = try draft.entry().line
    try checkConditions(before: before, at: place)
    return self
  }

  /// Fails if the last event failed without `failing`.
  func checkError(at place: Place) throws {
    guard let problem else { return }
    self.problem = nil
    try fail(["The event failed: \(problem)"], at: place)
  }

  /// Accepts the error of the last event.
  func acceptError() { problem = nil }

  /// Fails if there are differences.
  func check(_ differences: [String], at place: Place) throws -> ReplayedMachine {
    if !differences.isEmpty, !isLeftOut { try fail(differences, at: place) }
    return self
  }

  /// The value without its ignored parts.
  func visible(_ json: JSON, below root: String) -> JSON {
    json.masking(hidden, below: root)
  }

  func fail(_ lines: [String], at place: Place) throws {
    let count = events.count
    let head = count == 0 ? "At the start" : "After event \(count), \(events[count - 1])"
    var text = "\(head) (entry \(entry)):\n"
    for line in lines { text += "  \(line)\n" }
    text += "  at \(place)"
    // The last few events explain the failure; a hundred would hide it.
    let earlier = events.dropLast().suffix(5)
    if !earlier.isEmpty { text += "\n  before it: " + earlier.joined(separator: ", ") }
    try place.report(text)
  }
}

// MARK: Conditions

extension ReplayedMachine {
  /// Adds a condition that is checked now and after every later event.
  func add(_ condition: ReplayCondition, at place: Place) throws {
    conditions.append(try ConditionCheck(condition))
    try checkConditions(before: events.isEmpty ? nil : before, at: place)
  }

  /// Why a condition is broken at the current entry.
  func problem(with condition: ReplayCondition) throws -> [String] {
    var check = try ConditionCheck(condition)
    return check.problem(at: moment(before: events.isEmpty ? nil : before))
  }

  private func checkConditions(before: Snapshot?, at place: Place) throws {
    guard !conditions.isEmpty else { return }
    let moment = moment(before: before)
    var broken: [String] = []
    // With a failure hook the test continues; report each condition once.
    for index in conditions.indices.reversed() {
      let lines = conditions[index].problem(at: moment)
      if !lines.isEmpty { conditions.remove(at: index) }
      broken = lines + broken
    }
    guard !broken.isEmpty else { return }
    if let problem { broken.append("The event failed: \(problem)") }
    problem = nil
    try fail(broken, at: place)
  }

  private func moment(before: Snapshot?) -> ReplayedMoment {
    ReplayedMoment(entry: line, before: before, after: now, hidden: hidden)
  }

  /// The line of an entry with its whole state, which conditions read.
  private static func opening(_ snapshot: Snapshot, seq: Int64) throws -> JSONSlice {
    var draft = EntryDraft(seq: seq, t: seq)
    draft.state = snapshot.state.encoded()[...]
    let hasOutputs = snapshot.outputs.object?.isEmpty == false
    draft.outputState = hasOutputs ? snapshot.outputs.encoded()[...] : nil
    return try JSONSlice(validating: draft.line)
  }
}

/// The source location of an expectation.
struct Place: CustomStringConvertible {
  let fileID: String
  let filePath: String
  let line: Int
  let column: Int

  init(_ fileID: String, _ filePath: String, _ line: Int, _ column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  var description: String { "\(fileID):\(line):\(column)" }

  /// Throws the failure, or passes it to the hook.
  func report(_ text: String) throws {
    let failure = ExpectationFailure(
      text: text, fileID: fileID, filePath: filePath, line: line, column: column)
    guard let onFailure else { throw failure }
    onFailure(failure)
  }
}

/// The text, truncated so that it does not bury the rest of the message.
func shortened(_ text: String) -> String { text.cut(toScalars: 300) }
