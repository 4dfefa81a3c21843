import JSONCore

extension ReduxDevTools {
  /// The key of the recorded event in an action, if a type and a payload cannot represent it.
  static let eventKey = "event"

  /// The limit of browsers.
  private static let largestFile = 256 << 20

  /// The timeline as a lifted state, with the state at every step.
  ///
  /// An event `{"added":{"id":1}}` becomes `{"type":"added","payload":{"id":1}}`, `"flipped"` becomes
  /// `{"type":"flipped"}`, and a Redux action does not change. The states are those of the recording,
  /// including redactions. A state that was not captured is `null`, with an error message.
  public static func write(_ timeline: Timeline) throws(InterchangeError) -> [UInt8] {
    guard !timeline.entries.isEmpty else { throw InterchangeError(.empty, at: "") }
    let count = timeline.entries.count
    var text = Lifted()
    text.add(#"{"actionsById":{"#)
    for (id, entry) in timeline.entries.enumerated() {
      let time =
        (timeline.header.started.microseconds.addingReportingOverflow(entry.t).partialValue)
      let action = id == 0 ? initial : self.action(of: entry, asItIs: isForeign(timeline))
      text.add((id == 0 ? "" : ",") + #""\#(id)":{"type":"PERFORM_ACTION","action":"#)
      text.add(action)
      text.add(#","timestamp":\#(time / 1_000)}"#)
    }
    text.add(#"},"nextActionId":\#(count),"stagedActionIds":["#)
    for id in 0..<count { text.add(id == 0 ? "0" : ",\(id)") }
    text.add(#"],"skippedActionIds":[],"committedState":"#)
    var cursor = TimelineCursor(timeline)
    var states = Lifted()
    var committed = Array("null".utf8)
    for (id, entry) in timeline.entries.enumerated() {
      guard states.bytes.count < largestFile else {
        throw InterchangeError(.tooLarge(largestFile), at: "")
      }
      states.add(id == 0 ? "" : ",")
      let state = cursor.move(to: entry.seq)?.state?.encoded()
      if id == 0, let state { committed = state }
      states.add(#"{"state":"#)
      states.add(state ?? Array("null".utf8))
      if let error = entry.error ?? (state == nil ? notCaptured : nil) {
        states.add(#","error":"#)
        states.add(JSON.string(error).encoded())
      }
      states.add("}")
    }
    text.add(committed)
    text.add(#","currentStateIndex":\#(count - 1),"computedStates":["#)
    text.add(states.bytes)
    text.add(#"],"isLocked":false,"isPaused":false"#)
    if !isForeign(timeline) {
      text.add(#","timeline":"#)
      text.add(Array(timeline.header.line.bytes))
    }
    text.add("}\n")
    return text.bytes
  }

  private static let initial = Array(#"{"type":"@@INIT"}"#.utf8)

  /// Whether the timeline came from Redux, so that its events are actions.
  private static func isForeign(_ timeline: Timeline) -> Bool {
    timeline.header.machine.type == reduxType
  }

  private static func action(of entry: Entry, asItIs: Bool) -> [UInt8] {
    if asItIs, let event = entry.event, event["type"]?.kind == .string { return Array(event.bytes) }
    var action = JSON.Object()
    guard let event = entry.event?.value else {
      action["type"] = .string(entry.restored != nil ? "@@RESTORED" : "@@JUMP")
      action[eventKey] = .null
      return JSON.object(action).encoded()
    }
    if let name = event.string {
      action["type"] = .string(name)
    } else if let object = event.object, object.count == 1,
      let (name, payload) = object.first(where: { _ in true })
    {
      action["type"] = .string(name)
      action["payload"] = payload
    } else {
      action["type"] = .string(entry.eventName ?? "event")
      action[eventKey] = event
    }
    return JSON.object(action).encoded()
  }

  /// A growing text.
  private struct Lifted {
    var bytes: [UInt8] = []
    mutating func add(_ text: String) { bytes += Array(text.utf8) }
    mutating func add(_ more: [UInt8]) { bytes += more }
  }
}
