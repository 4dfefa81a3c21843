import JSONCore

/// Makes a timeline from a file of Redux DevTools.
struct ReduxReading {
  private let name: String
  private let id: TimelineID
  private let now: Timestamp
  private var seq: Int64 = 0
  private var t: Int64 = 0
  private var state: JSON?

  init(name: String, id: TimelineID, now: Timestamp) {
    self.name = name
    self.id = id
    self.now = now
  }

  /// Reads bare actions, after an optional first state. They do not have times and states.
  mutating func timeline(
    of actions: [JSON], from preloaded: JSON?
  ) throws(InterchangeError) -> Timeline {
    var timeline = Timeline(try header(started: now, nil))
    try append(nil, preloaded, nil, to: &timeline)
    for (index, action) in actions.enumerated() {
      let path = "[\(index)]"
      try append(try Self.checked(action, path), nil, nil, to: &timeline)
    }
    return timeline
  }

  /// Reads a lifted state: actions by ID, the order of the IDs, and the computed states. Without these,
  /// starts with the committed state, or the one next to the lifted state.
  mutating func timeline(
    ofLifted lifted: JSON, from preloaded: JSON? = nil
  ) throws(InterchangeError) -> Timeline {
    guard let actions = lifted["actionsById"]?.object else {
      throw InterchangeError(.expected("an object of actions"), at: "actionsById")
    }
    guard let staged = lifted["stagedActionIds"]?.array, !staged.isEmpty else {
      throw InterchangeError(
        .expected("an array of ids, the first of them 0"), at: "stagedActionIds")
    }
    let skipped = try Self.skipped(in: lifted)
    let states = lifted["computedStates"]?.array ?? []
    let kept = lifted[ReduxDevTools.headerKey]
    let isOurs = kept != nil
    var first: Int64?
    var timeline: Timeline?
    for (index, id) in staged.enumerated() {
      let place = "stagedActionIds[\(index)]"
      guard let number = id.int else {
        throw InterchangeError(.expected("a whole number"), at: place)
      }
      guard let performed = actions[String(number)], let action = performed["action"] else {
        throw InterchangeError(
          .expected("an id that 'actionsById' has with an 'action'"), at: place)
      }
      // A skipped action has no state. The first one is the start.
      if index > 0, skipped.contains(number) { continue }
      // Times are in milliseconds. An impossible time counts as missing.
      let milliseconds = performed["timestamp"]?.double.flatMap { value in
        abs(value) < 1e14 ? Int64(value * 1_000) : nil
      }
      if first == nil { first = milliseconds }
      if let milliseconds, let first { t = max(t, milliseconds - first) }
      if timeline == nil {
        let started = milliseconds.map { Timestamp(microseconds: $0) } ?? now
        timeline = Timeline(try header(started: started, kept))
      }
      let computed: JSON? = states.indices.contains(index) ? states[index] : JSON?.none
      var error = computed?["error"]?.string
      // After a failed action, Redux continues with the previous state.
      var next: JSON? = computed?["state"]
      if next == nil, error != nil { next = state }
      if index == 0, computed == nil {
        next = [lifted["committedState"], preloaded].compactMap(\.self).first { !$0.isNull }
      }
      if isOurs, error == ReduxDevTools.notCaptured {
        error = nil
        next = Optional.none
      }
      let checked = try Self.checked(action, "actionsById.\(number).action")
      // Explicit types, because JSON can be a nil literal, too.
      let event: JSON? = index == 0 ? JSON?.none : isOurs ? Self.event(of: checked) : checked
      guard var growing = timeline else { continue }
      // A second reference to the entries would copy all of them at every step.
      timeline = nil
      try append(event, next, error, to: &growing)
      timeline = growing
    }
    guard let timeline else { throw InterchangeError(.empty, at: "stagedActionIds") }
    return timeline
  }

  /// The IDs of the skipped actions.
  private static func skipped(in lifted: JSON) throws(InterchangeError) -> Set<Int64> {
    guard let field = lifted["skippedActionIds"], !field.isNull else { return [] }
    let ids = field.array?.map(\.int)
    guard let ids, !ids.contains(nil) else {
      throw InterchangeError(.expected("an array of ids"), at: "skippedActionIds")
    }
    return Set(ids.compactMap(\.self))
  }

  private static func checked(_ action: JSON, _ path: String) throws(InterchangeError) -> JSON {
    guard action.object != nil, action["type"]?.string != nil else {
      throw InterchangeError(.expected("an action: an object whose 'type' is a string"), at: path)
    }
    return action
  }

  private func header(started: Timestamp, _ kept: JSON?) throws(InterchangeError) -> Header {
    do throws(HeaderError) {
      if let kept {
        var fields = try Header(reading: kept.encoded()).fields
        fields.timeline = id
        fields.parent = nil
        return try Header(fields)
      }
      var machine = Header.Machine(
        type: ReduxDevTools.reduxType, name: name.isEmpty ? "redux" : name)
      machine.kind = "other"
      return try Header(
        Header.Fields(
          timeline: id, app: Header.App(name: "Redux DevTools"), machine: machine, started: started)
      )
    } catch {
      throw InterchangeError(.timeline("\(error)"), at: ReduxDevTools.headerKey)
    }
  }

  private mutating func append(
    _ event: JSON?, _ next: JSON?, _ error: String?, to timeline: inout Timeline
  ) throws(InterchangeError) {
    var draft = EntryDraft(seq: seq, t: t)
    draft.event = event?.encoded()[...]
    draft.error = error
    if let next {
      if let state {
        draft.patch = Patch.difference(from: state, to: next).json.encoded()[...]
      } else {
        draft.state = next.encoded()[...]
      }
    }
    state = next
    do {
      try timeline.append(try draft.entry())
    } catch {
      throw InterchangeError(.timeline("\(error)"), at: "")
    }
    seq += 1
  }

  /// The event of an action that we exported; see ``ReduxDevTools/action(of:)``.
  private static func event(of action: JSON) -> JSON {
    if let event = action[ReduxDevTools.eventKey], !event.isNull { return event }
    guard let type = action["type"]?.string else { return action }
    guard let payload = action["payload"] else { return .string(type) }
    var object = JSON.Object()
    object[type] = payload
    return .object(object)
  }
}
