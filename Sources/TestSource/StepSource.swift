import JSONCore
import Timelines

/// The statements of a test: the machine with its starting state, then each event with its
/// assertions.
struct StepSource {
  /// The recorded values to assert; `nil` if the test has only conditions.
  private let assertion: TestExport.Assertion?
  private let conditions: [TestCondition]
  private let timeline: Timeline
  private let machine: MachineSource
  private let variable: String
  private let events: EventSource
  private let hasOutputs: Bool
  /// Whether the outputs describe the state, because the machine declares them. The outputs of a
  /// chart or a feedback system describe the last event, not the value.
  private let outputsDescribeState: Bool
  private var ignored: Set<String> = []
  /// The entry that the test's own numbering has reached.
  private var reached: Int64 = 0
  /// By entry: the number of the event in the test, as its failures count them.
  private var sent: [Int64: Int] = [:]
  /// The entries to which an undo can return.
  private var passed: Set<Int64> = []
  /// Whether the state is unknown; then no event is sent until a state is known again.
  private var isLost = false
  /// Whether a comment already says why events are missing.
  private var isExplained = false
  private var lines: [SwiftLayout] = []

  init(
    _ export: TestExport, _ timeline: Timeline, _ machine: MachineSource, variable: String
  ) {
    assertion = export.effectiveAssertion
    conditions = export.conditions
    self.timeline = timeline
    self.machine = machine
    self.variable = variable
    events = EventSource(
      schema: timeline.header.schema.flatMap { EventSchema(json: $0.value) })
    hasOutputs = !timeline.header.outputs.isEmpty
    outputsDescribeState = hasOutputs && [.states, .form, .reducer].contains(machine.kind)
  }

  mutating func statements() throws(TestExportError) -> [SwiftLayout] {
    guard let first = timeline.entries.first, let start = Snapshot(keyframe: first) else {
      throw .empty
    }
    let seq = first.seq
    lines.append(.prefixed("let \(variable) = ", machine.made(from: start, seq: seq)))
    didReach(first)
    ignore(first)
    lines += conditions.compactMap { $0.opening(variable) }
    var cursor = TimelineCursor(timeline)
    var last: Snapshot? = start
    for entry in timeline.entries.dropFirst() {
      let moment = cursor.move(to: entry.seq)
      var now: Snapshot?
      if case .known(let snapshot)? = moment { now = snapshot }
      add(entry, from: last, to: now)
      // A test that ends at a trap has the state before it.
      if !entry.isTrap { last = now }
    }
    conclude(with: last)
    lines += conditions.compactMap { $0.closing(variable) }
    return lines
  }

  private mutating func add(_ entry: Entry, from last: Snapshot?, to now: Snapshot?) {
    if let gap = entry.gap {
      // A peer chose the reason's text, so it must not appear in a comment.
      addComment("Here \(gap.lost) \(gap.lost == 1 ? "entry was" : "entries were") lost.")
      isLost = true
    }
    if entry.isUnwritten {
      addComment("The event of entry \(entry.seq) could not be recorded.")
      isLost = true
      return
    }
    // Ignore new paths before anything is compared at them.
    ignore(entry)
    guard !entry.isTrap else {
      skipTrap(entry)
      return
    }
    if let (word, seq) = reach(of: entry), !isLost, !passed.contains(seq) {
      addComment("The state that this \(word) restores is not in this test.")
      isLost = true
    }
    guard !isLost, !entry.isFixedPoint, let event = entry.event else {
      restore(entry, now)
      return
    }
    var calls: [SwiftLayout] = []
    // In a recording of a bug the last event fails; after the fix it must not.
    let isExpected = assertion != nil || entry.seq != timeline.lastSeq
    if let error = entry.error, isExpected, machine.kind != .states, machine.kind != .reducer {
      calls.append(failing(error, entry))
    }
    if let now { calls += asserted(entry, last, now) }
    let call = send(event.value, causedBy: cause(of: entry))
    lines.append(
      .prefixed("try ", calls.isEmpty ? call : .chain(call, calls)))
    didReach(entry)
  }

  /// The event of a test of a bug that led to this one: a fix may prevent it.
  private mutating func cause(of entry: Entry) -> Int? {
    let number = sent.count + 1
    sent[entry.seq] = number
    guard !conditions.isEmpty,
      let cause = entry.cause(in: timeline.header.timeline).flatMap({ sent[$0] })
    else { return nil }
    addComment("Event \(number), which event \(cause) caused:")
    return cause
  }

  private mutating func addComment(_ sentence: String) { lines.append(.text("// " + sentence)) }

  /// Numbers the following entries from this one.
  private mutating func didReach(_ entry: Entry) {
    reached = entry.seq
    passed.insert(entry.seq)
  }

  /// Comments the event out: it would end the process, and all other tests with it.
  private mutating func skipTrap(_ entry: Entry) {
    isLost = true
    guard let event = entry.event else { return }
    addComment("The app trapped while it handled this event:")
    lines.append(.comment(.prefixed("try ", send(event.value))))
  }

  private mutating func restore(_ entry: Entry, _ now: Snapshot?) {
    guard let now else {
      if !isExplained { addComment("The test goes on with the next state that was captured.") }
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
    didReach(entry)
  }

  /// Expects the event to fail as recorded, with the message if it was recorded.
  private func failing(_ error: String, _ entry: Entry) -> SwiftLayout {
    // The error of such an entry may only say why nothing was captured.
    let hasMessage =
      !entry.isThinned && !entry.redacted.contains { $0.pointer.tokens.first == "error" }
    return .call(
      ".failing", hasMessage ? [.init(nil, .text(SwiftLiteral.string(error)))] : [])
  }

  /// Makes the test ignore values that are redacted from this entry on.
  private mutating func ignore(_ entry: Entry) {
    let hidden = entry.redacted.map(\.pointer)
      .filter { ["state", "outputs"].contains($0.tokens.first) }.map(\.description)
    let new = Set(hidden).subtracting(ignored).sorted()
    guard !new.isEmpty else { return }
    ignored.formUnion(new)
    let paths = new.map { SwiftLayout.Argument(nil, .text(SwiftLiteral.string($0))) }
    lines.append(.prefixed("try ", .call("\(variable).ignore", paths)))
  }

  /// The assertions after an event.
  private func asserted(_ entry: Entry, _ last: Snapshot?, _ now: Snapshot) -> [SwiftLayout] {
    switch assertion {
    case .final, nil: return []
    case .paths(let paths): return paths.map { path in self.path(path, in: now) }
    case .state: return changes(last, now, hasState: true)
    case .changedOutputs: return changes(last, now, hasState: !outputsDescribeState)
    }
  }

  /// Assertions of what an event changed in the outputs and, with `hasState`, in the state.
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
      // The previous value is unknown, so assert the whole value.
      return [.call(".to", [.init(label, RecordedLiteral.layout(now))])]
    }
    return [.call(".toChange", [.init(label, Self.members(last, now))])]
  }

  /// The members that changed, with their new values; a patch if that is long, or if the value is
  /// not an object.
  private static func members(_ last: JSON, _ now: JSON) -> SwiftLayout {
    guard let old = last.object, let new = now.object else { return patch(last, now) }
    var members = JSON.Object()
    for (key, value) in new where old[key] != value { members[key] = value }
    for (key, _) in old where new[key] == nil { members[key] = .null }
    let whole = JSON.object(members)
    // A few lines are easy to read; in a long list, only the changed place is.
    return whole.encoded().count <= 200 ? RecordedLiteral.layout(whole) : patch(last, now)
  }

  private static func patch(_ last: JSON, _ now: JSON) -> SwiftLayout {
    RecordedLiteral.layout(Patch.difference(from: last, to: now).json)
  }

  private mutating func conclude(with last: Snapshot?) {
    guard let last else { return }
    func expect(_ label: String, _ value: JSON) {
      lines.append(
        .prefixed("try ", .call("\(variable).to", [.init(label, RecordedLiteral.layout(value))])))
    }
    switch assertion {
    case .final:
      if hasOutputs { expect("outputs", last.outputs) }
      expect("state", last.state)
    case .state: expect("state", last.state)
    case .paths, .changedOutputs, nil: break
    }
  }
}

extension StepSource {
  /// `coin.send(.flipped)`, or the method of the machine's kind.
  private func send(_ event: JSON, causedBy cause: Int? = nil) -> SwiftLayout {
    let cause = cause.map { [SwiftLayout.Argument("causedBy", .text(String($0)))] } ?? []
    let known: SwiftLayout? =
      switch machine.kind {
      case .states, .feedback, .reducer:
        events.layout(event).map { call("send", [.init(nil, $0)] + cause) }
      case .form: formCall(event)
      case .statechart: chartCall(event)
      case .functional: dispatcherCall(event)
      }
    return known ?? call("send", [.init("recorded", RecordedLiteral.layout(event))] + cause)
  }

  private func call(_ name: String, _ arguments: [SwiftLayout.Argument]) -> SwiftLayout {
    .call("\(variable).\(name)", arguments)
  }

  /// The member of an object with exactly one.
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

  /// The entry whose state an undo or a redo of a form restores.
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
