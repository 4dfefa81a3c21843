import JSONCore
import Timelines

/// The statements of a test: the machine with its starting state, then each event with what is
/// asserted after it.
struct StepSource {
  /// The recorded values that are asserted; `nil` where only conditions are.
  private let assertion: TestExport.Assertion?
  private let conditions: [TestCondition]
  private let timeline: Timeline
  private let machine: MachineSource
  private let variable: String
  private let events: EventSource
  private let hasOutputs: Bool
  /// Whether somebody declared outputs, so that they are what the outside sees of the state. What a
  /// chart or a feedback system has instead tells what it did, and nothing of its value.
  private let tellsAll: Bool
  private var ignored: Set<String> = []
  /// The entry that the test has counted to.
  private var reached: Int64 = 0
  /// The entries whose states an undo can go back to.
  private var passed: Set<Int64> = []
  /// Whether the test does not have the state that there was: then nothing is sent until one is known.
  private var isLost = false
  /// Whether the test says why events are not sent.
  private var isExplained = false
  private var lines: [SwiftLayout] = []

  init(
    _ export: TestExport, _ timeline: Timeline, _ machine: MachineSource, variable: String
  ) {
    assertion = export.pinned
    conditions = export.conditions
    self.timeline = timeline
    self.machine = machine
    self.variable = variable
    events = EventSource(
      schema: timeline.header.schema.flatMap { EventSchema(json: $0.value) })
    hasOutputs = !timeline.header.outputs.isEmpty
    tellsAll = hasOutputs && [.states, .form, .reducer].contains(machine.kind)
  }

  /// The statements, in order.
  mutating func statements() throws(TestExportError) -> [SwiftLayout] {
    guard let first = timeline.entries.first, let start = Snapshot(keyframe: first) else {
      throw .empty
    }
    let seq = first.seq
    lines.append(.prefixed("let \(variable) = ", machine.made(from: start, seq: seq)))
    pass(first)
    ignore(first)
    lines += conditions.compactMap { $0.opening(variable) }
    var cursor = TimelineCursor(timeline)
    var last: Snapshot? = start
    for entry in timeline.entries.dropFirst() {
      let moment = cursor.move(to: entry.seq)
      var now: Snapshot?
      if case .known(let snapshot)? = moment { now = snapshot }
      add(entry, from: last, to: now)
      // What was before it is what there is when the test ends there.
      if !entry.isTrap { last = now }
    }
    conclude(with: last)
    lines += conditions.compactMap { $0.closing(variable) }
    return lines
  }

  private mutating func add(_ entry: Entry, from last: Snapshot?, to now: Snapshot?) {
    if let gap = entry.gap {
      // Why is text that a peer chose, and none of it goes into a comment.
      say("Here \(gap.lost) \(gap.lost == 1 ? "entry was" : "entries were") lost.")
      isLost = true
    }
    if entry.isUnwritten {
      say("The event of entry \(entry.seq) could not be recorded.")
      isLost = true
      return
    }
    // What is ignored from here on has to be known before it is compared.
    ignore(entry)
    guard !entry.isTrap else {
      skipTrap(entry)
      return
    }
    if let (word, seq) = reach(of: entry), !isLost, !passed.contains(seq) {
      say("The state that this \(word) brings back is not in this test.")
      isLost = true
    }
    guard !isLost, !entry.isFixedPoint, let event = entry.event else {
      restore(entry, now)
      return
    }
    var calls: [SwiftLayout] = []
    // The last event is the one that fails in a recording of a bug, and must not once it is fixed.
    let isExpected = assertion != nil || entry.seq != timeline.lastSeq
    if let error = entry.error, isExpected, machine.kind != .states, machine.kind != .reducer {
      calls.append(failing(error, entry))
    }
    if let now { calls += asserted(entry, last, now) }
    let sent = send(event.value)
    lines.append(
      .prefixed("try ", calls.isEmpty ? sent : .chain(sent, calls)))
    pass(entry)
  }

  private mutating func say(_ sentence: String) { lines.append(.text("// " + sentence)) }

  /// What follows an entry is counted from it.
  private mutating func pass(_ entry: Entry) {
    reached = entry.seq
    passed.insert(entry.seq)
  }

  /// An event that ends the process would end all other tests with it.
  private mutating func skipTrap(_ entry: Entry) {
    isLost = true
    guard let event = entry.event else { return }
    say("The app trapped while it handled this event:")
    lines.append(.comment(.prefixed("try ", send(event.value))))
  }

  private mutating func restore(_ entry: Entry, _ now: Snapshot?) {
    guard let now else {
      if !isExplained { say("The test goes on with the next state that was captured.") }
      isExplained = true
      return
    }
    (isLost, isExplained) = (false, false)
    var arguments = [SwiftLayout.Argument(nil, RecordedLiteral.layout(now.state))]
    if now.outputs.object?.isEmpty == false {
      arguments.append(.init("outputs", RecordedLiteral.layout(now.outputs)))
    }
    if entry.seq != reached + 1 { arguments.append(.init("entry", .text(String(entry.seq)))) }
    lines.append(.prefixed("try ", .call("\(variable).restore", arguments)))
    pass(entry)
  }

  /// That an event goes wrong as it did; with the words, where they were recorded.
  private func failing(_ error: String, _ entry: Entry) -> SwiftLayout {
    // Why nothing was captured may be all that the error of such an entry tells.
    let isTold = !entry.isThinned && !entry.redacted.contains { $0.pointer.tokens.first == "error" }
    return .call(
      ".failing", isTold ? [.init(nil, .text(SwiftLiteral.string(error)))] : [])
  }

  /// Has the test pass over what is redacted from an entry on.
  private mutating func ignore(_ entry: Entry) {
    let hidden = entry.redacted.map(\.pointer)
      .filter { ["state", "outputs"].contains($0.tokens.first) }.map(\.description)
    let new = Set(hidden).subtracting(ignored).sorted()
    guard !new.isEmpty else { return }
    ignored.formUnion(new)
    let paths = new.map { SwiftLayout.Argument(nil, .text(SwiftLiteral.string($0))) }
    lines.append(.prefixed("try ", .call("\(variable).ignore", paths)))
  }

  /// What is asserted after an event.
  private func asserted(_ entry: Entry, _ last: Snapshot?, _ now: Snapshot) -> [SwiftLayout] {
    switch assertion {
    case .final, nil: return []
    case .paths(let paths): return paths.map { path in self.path(path, in: now) }
    case .state: return changes(last, now, hasState: true)
    case .changedOutputs: return changes(last, now, hasState: !tellsAll)
    }
  }

  /// What an event changed, in the outputs where there are any and in the state where it counts.
  private func changes(_ last: Snapshot?, _ now: Snapshot, hasState: Bool) -> [SwiftLayout] {
    if let last, last.outputs == now.outputs {
      if !hasState { return [.call(".toChangeNoOutputs", [])] }
      if last.state == now.state { return [.call(".toChangeNothing", [])] }
    }
    let outputs = hasOutputs ? change("outputs", last?.outputs, now.outputs) : []
    return hasState ? outputs + change("state", last?.state, now.state) : outputs
  }

  private func path(_ path: Pointer, in now: Snapshot) -> SwiftLayout {
    let rest = Pointer(tokens: Array(path.tokens.dropFirst()))
    let value = path.tokens.first == "outputs" ? now.outputs[rest] : now.state[rest]
    return .call(
      ".to",
      [
        .init(nil, .text(SwiftLiteral.string(path.description))),
        .init("equal", RecordedLiteral.layout(value ?? .null)),
      ])
  }

  /// `.toChange(outputs: ["side": "Tails"])`; large values as a patch.
  private func change(_ label: String, _ last: JSON?, _ now: JSON) -> [SwiftLayout] {
    guard let last else {
      // What was before is not known, so everything is told.
      return [.call(".to", [.init(label, RecordedLiteral.layout(now))])]
    }
    return [.call(".toChange", [.init(label, Self.members(last, now))])]
  }

  /// The members that changed, with what they are now; where that is much, or it is no object, a
  /// patch.
  private static func members(_ last: JSON, _ now: JSON) -> SwiftLayout {
    guard let old = last.object, let new = now.object else { return patch(last, now) }
    var members = JSON.Object()
    for (key, value) in new where old[key] != value { members[key] = value }
    for (key, _) in old where new[key] == nil { members[key] = .null }
    let whole = JSON.object(members)
    // A few lines are read at once; of a long list the place that changed is.
    return whole.encoded().count <= 200 ? RecordedLiteral.layout(whole) : patch(last, now)
  }

  private static func patch(_ last: JSON, _ now: JSON) -> SwiftLayout {
    RecordedLiteral.layout(Patch.difference(from: last, to: now).json)
  }

  private mutating func conclude(with last: Snapshot?) {
    guard let last else { return }
    func say(_ label: String, _ value: JSON) {
      lines.append(
        .prefixed("try ", .call("\(variable).to", [.init(label, RecordedLiteral.layout(value))])))
    }
    switch assertion {
    case .final:
      if hasOutputs { say("outputs", last.outputs) }
      say("state", last.state)
    case .state: say("state", last.state)
    case .paths, .changedOutputs, nil: break
    }
  }
}

extension StepSource {
  /// `coin.send(.flipped)`, in the words of the machine's kind.
  private func send(_ event: JSON) -> SwiftLayout {
    let known: SwiftLayout? =
      switch machine.kind {
      case .states, .feedback, .reducer: events.layout(event).map { call("send", [.init(nil, $0)]) }
      case .form: formCall(event)
      case .statechart: chartCall(event)
      case .functional: dispatcherCall(event)
      }
    return known ?? call("send", [.init("recorded", RecordedLiteral.layout(event))])
  }

  private func call(_ name: String, _ arguments: [SwiftLayout.Argument]) -> SwiftLayout {
    .call("\(variable).\(name)", arguments)
  }

  /// The only member of an object with one.
  private static func only(_ event: JSON) -> (key: String, value: JSON)? {
    guard let object = event.object, object.count == 1 else { return nil }
    return object.first { _ in true }
  }

  private func formCall(_ event: JSON) -> SwiftLayout? {
    guard let (word, body) = Self.only(event) else { return nil }
    if let (word, seq) = Self.reach(of: event) {
      return call(word, [.init("to", .text(String(seq)))])
    }
    switch word {
    case "apply":
      guard let patch = body["patch"], body.object?.count == 1 else { return nil }
      return call("change", [.init(nil, RecordedLiteral.layout(patch))])
    case "event": return body["_0"].flatMap(events.layout).map { call("send", [.init(nil, $0)]) }
    default: return events.layout(event).map { call("send", [.init(nil, $0)]) }
    }
  }

  /// The entry whose state an undo or a redo of a form brings back.
  private func reach(of entry: Entry) -> (word: String, seq: Int64)? {
    machine.kind == .form ? entry.event.flatMap { Self.reach(of: $0.value) } : nil
  }

  private static func reach(of event: JSON) -> (word: String, seq: Int64)? {
    guard let (word, body) = only(event), ["undo", "redo"].contains(word),
      let seq = body["to"]?.int, body.object?.count == 1
    else { return nil }
    return (word, seq)
  }

  private func chartCall(_ event: JSON) -> SwiftLayout? {
    if event.string == "start" { return call("start", []) }
    guard let (name, body) = Self.only(event), let members = body.object,
      members.allSatisfy({ $0.key == "_0" })
    else { return nil }
    var arguments = [SwiftLayout.Argument(nil, .text(SwiftLiteral.string(name)))]
    if let payload = members["_0"] { arguments.append(.init(nil, RecordedLiteral.layout(payload))) }
    return call("send", arguments)
  }

  private func dispatcherCall(_ event: JSON) -> SwiftLayout? {
    guard let (word, body) = Self.only(event), let members = body.object else { return nil }
    let keys = Set(members.keys)
    switch word {
    case "apply":
      guard let name = body["name"]?.string, let updates = body["updates"]?.bool,
        keys.isSubset(of: ["name", "arguments", "updates"])
      else { return nil }
      var arguments = [SwiftLayout.Argument(nil, .text(SwiftLiteral.string(name)))]
      if let list = body["arguments"] { arguments.append(.init(nil, RecordedLiteral.layout(list))) }
      if updates { arguments.append(.init("updates", .text("true"))) }
      return call("apply", arguments)
    case "completed":
      guard let id = body["id"]?.int, let finished = body["finished"]?.bool,
        keys == ["id", "finished"]
      else { return nil }
      var arguments = [SwiftLayout.Argument(nil, .text(String(id)))]
      if !finished { arguments.append(.init("finished", .text("false"))) }
      return call("complete", arguments)
    case "began": return keys.isEmpty ? call("begin", []) : nil
    case "reset": return keys.isEmpty ? call("reset", []) : nil
    case "cleared": return keys.isEmpty ? call("clear", []) : nil
    default: return nil
    }
  }
}

extension Entry {
  /// Whether the app ended while it handled the event.
  fileprivate var isTrap: Bool { error == "trapped" }
}
