import JSONCore

/// Makes a timeline of what a file of Redux DevTools holds.
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

  /// Bare actions, after a state when there is one. They have no times and lead to no states.
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

  /// A lifted state: actions by id, the order of the ids, and the states that were computed. Without
  /// these it begins with the state that was committed, or else the one beside it in the file.
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
      // It was switched off: no state comes of it. The first one is where all begins.
      if index > 0, skipped.contains(number) { continue }
      // A time is in milliseconds. One that no calendar has counts as missing.
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
      // Redux goes on with the state before, where an action failed.
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
      // The types are said, because a JSON is a nil, too.
      let event: JSON? = index == 0 ? JSON?.none : isOurs ? Self.event(of: checked) : checked
      guard var growing = timeline else { continue }
      // Two references to its entries would copy all of them at every step.
      timeline = nil
      try append(event, next, error, to: &growing)
      timeline = growing
    }
    guard let timeline else { throw InterchangeError(.empty, at: "stagedActionIds") }
    return timeline
  }

  /// The ids of the actions that were switched off.
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

  /// The event that an action of ours was: see ``ReduxDevTools/action(of:)``.
  private static func event(of action: JSON) -> JSON {
    if let event = action[ReduxDevTools.eventKey], !event.isNull { return event }
    guard let type = action["type"]?.string else { return action }
    guard let payload = action["payload"] else { return .string(type) }
    var object = JSON.Object()
    object[type] = payload
    return .object(object)
  }
}
