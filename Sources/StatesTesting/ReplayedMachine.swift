internal import JSONCore
internal import Replaying
internal import Timelines

/// A recorded machine that runs again in a test, event by event; what is expected is thrown when it
/// is not met.
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
/// Observers, effects and transitions do not run: their events are in the recording. Values are
/// compared as they are recorded.
public final class ReplayedMachine<Event> {
  private let replayer: any Replayer
  private let encode: (Event) throws -> [UInt8]
  private var events: [String] = []
  private var hidden: [Pointer] = []
  private var problem: String?
  /// What has to hold at every entry, or at none.
  private var conditions: [ConditionCheck] = []
  /// The line of the entry that the machine is at.
  private var line: JSONSlice

  /// The seq of the entry that the machine is at.
  private(set) var entry: Int64
  /// What there was before the last event.
  private(set) var before: Snapshot
  /// What there is now.
  private(set) var now: Snapshot

  /// Begins with a fresh machine, or with a recorded state.
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

  /// Has the machine handle an event.
  ///
  /// What goes wrong with an event fails the next expectation, unless it is said by `failing`.
  @discardableResult
  public func send(
    _ event: Event, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws -> ReplayedMachine {
    let bytes = try encode(event)
    return try run(bytes, as: describe(event), at: Place(fileID, filePath, line, column))
  }

  /// Has the machine handle an event as it was recorded.
  @discardableResult
  public func send(
    recorded event: RecordedValue, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    let bytes = try event.value().encoded()
    return try run(bytes, at: Place(fileID, filePath, line, column))
  }

  /// Gives the machine a state: one that came from outside when it was recorded, or that follows on
  /// entries that were lost.
  ///
  /// `entry` is the seq of the entry that has this state; the next one unless told.
  public func restore(
    _ state: RecordedValue, outputs: RecordedValue? = nil, entry: Int? = nil,
    fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
    column: Int = #column
  ) throws {
    self.entry = entry.map(Int64.init) ?? self.entry + 1
    events.append("a state from outside")
    problem = nil
    try replayer.load(state: state.slice(), outputs: outputs?.slice(), seq: self.entry)
    now = try replayer.snapshot()
    before = now
    self.line = try Self.opening(now, seq: self.entry)
    try checkConditions(before: nil, at: Place(fileID, filePath, line, column))
  }

  /// Passes over values that were redacted: whatever is at the paths, it is not compared.
  public func ignore(_ paths: String...) throws {
    hidden += try paths.map { try Pointer($0) }
  }

  /// Says that the last event goes wrong, as it did when it was recorded.
  ///
  /// `error` is what went wrong, in the words of the recording; anything unless told.
  @discardableResult
  public func failing(
    _ error: String? = nil, fileID: String = #fileID, filePath: String = #filePath,
    line: Int = #line, column: Int = #column
  ) throws -> ReplayedMachine {
    let found = problem
    problem = nil
    // Nobody said which error, so any is the one.
    let expected = error ?? found ?? ""
    return try check(
      ErrorDifference.lines(from: expected, to: found),
      at: Place(fileID, filePath, line, column))
  }

  func run(_ event: [UInt8], as text: String? = nil, at place: Place) throws -> ReplayedMachine {
    try settle(at: place)
    let slice = try JSONSlice(validating: event)
    if let seq = try replayer.missing(for: slice) {
      throw ReplayError(
        .notReplayable(why: "The state of entry \(seq), that comes back, is not in this test."))
    }
    entry += 1
    events.append(text ?? shortened(String(decoding: event, as: UTF8.self)))
    before = now
    let draft = try replayer.run(
      PlannedStep(seq: entry, was: entry, t: entry, action: .reduce(slice)))
    now = try replayer.snapshot()
    problem = draft.error
    line = try draft.entry().line
    try checkConditions(before: before, at: place)
    return self
  }

  /// Fails when the last event went wrong and nobody said that it would.
  func settle(at place: Place) throws {
    guard let problem else { return }
    self.problem = nil
    try fail(["It went wrong: \(problem)"], at: place)
  }

  /// Lets the last event have gone wrong.
  func acceptError() { problem = nil }

  /// Fails when there are lines that say what differs.
  func check(_ differences: [String], at place: Place) throws -> ReplayedMachine {
    if !differences.isEmpty { try fail(differences, at: place) }
    return self
  }

  /// A value without what is ignored below a place.
  func visible(_ json: JSON, below root: String) -> JSON {
    json.masking(hidden, below: root)
  }

  func fail(_ lines: [String], at place: Place) throws {
    let count = events.count
    let head = count == 0 ? "At the start" : "After event \(count), \(events[count - 1])"
    var text = "\(head) (entry \(entry)):\n"
    for line in lines { text += "  \(line)\n" }
    text += "  at \(place)"
    // The last few tell how it came to this; a hundred would hide it.
    let earlier = events.dropLast().suffix(5)
    if !earlier.isEmpty { text += "\n  before it: " + earlier.joined(separator: ", ") }
    try place.report(text)
  }
}

// MARK: Conditions

extension ReplayedMachine {
  /// Adds a condition that is checked now and after every event from here on.
  func add(_ condition: ReplayCondition, at place: Place) throws {
    conditions.append(try ConditionCheck(condition))
    try checkConditions(before: events.isEmpty ? nil : before, at: place)
  }

  /// Why a condition is broken where the machine is.
  func problem(with condition: ReplayCondition) throws -> [String] {
    var check = try ConditionCheck(condition)
    return check.problem(at: moment(before: events.isEmpty ? nil : before))
  }

  private func checkConditions(before: Snapshot?, at place: Place) throws {
    guard !conditions.isEmpty else { return }
    let moment = moment(before: before)
    var broken: [String] = []
    // With a failure hook the test goes on; each condition is reported once.
    for index in conditions.indices.reversed() {
      let lines = conditions[index].problem(at: moment)
      if !lines.isEmpty { conditions.remove(at: index) }
      broken = lines + broken
    }
    guard !broken.isEmpty else { return }
    if let problem { broken.append("It went wrong: \(problem)") }
    problem = nil
    try fail(broken, at: place)
  }

  private func moment(before: Snapshot?) -> ReplayedMoment {
    ReplayedMoment(entry: line, before: before, after: now, hidden: hidden)
  }

  /// The line of an entry that gives its state, as conditions read it.
  private static func opening(_ snapshot: Snapshot, seq: Int64) throws -> JSONSlice {
    var draft = EntryDraft(seq: seq, t: seq)
    draft.state = snapshot.state.encoded()[...]
    let hasOutputs = snapshot.outputs.object?.isEmpty == false
    draft.outputState = hasOutputs ? snapshot.outputs.encoded()[...] : nil
    return try JSONSlice(validating: draft.line)
  }
}

/// Where an expectation stands in the source.
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

  /// Throws the failure, or hands it to the hook.
  func report(_ text: String) throws {
    let failure = ExpectationFailure(
      text: text, fileID: fileID, filePath: filePath, line: line, column: column)
    guard let onFailure else { throw failure }
    onFailure(failure)
  }
}

/// A text in a line of its own, cut where it would bury what the reader looks for.
func shortened(_ text: String) -> String {
  text.count > 300 ? text.prefix(300) + "…" : text
}
