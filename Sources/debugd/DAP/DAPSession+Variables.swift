import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

/// Values at an entry: scopes, their members, and expressions.
extension DAPSession {
  /// A value is read to this depth: its members, and how many members those have.
  private static let depth: Int64 = 3
  private static let maximumBytes: Int64 = 1 << 20
  /// Longer values are shown by their size.
  private static let maximumShown = 100

  mutating func scopes(_ request: DAPRequest) throws -> DAPReply {
    let frame = try handles.frame(request.number("frameId") ?? 0)
    let first = machines.first { $0.timeline == frame.timeline }?.seqs.lowerBound ?? 0
    func place(_ root: String, at seq: Int64) -> DAPHandles.Place {
      DAPHandles.Place(timeline: frame.timeline, seq: seq, path: Pointer(tokens: [root]))
    }
    var scopes: [(name: String, place: DAPHandles.Place)] = [
      ("Event", place("event", at: frame.seq)), ("State", place("state", at: frame.seq)),
      ("Outputs", place("outputs", at: frame.seq)),
    ]
    if frame.seq > first {
      var (before, changes) = (place("state", at: frame.seq - 1), place("state", at: frame.seq))
      before.isBefore = true
      changes.isChanges = true
      scopes += [("Before", before), ("Changed here", changes)]
    }
    let shown = scopes.map { name, place -> JSON in
      [
        "name": .string(name), "expensive": .bool(name == "Before"),
        "variablesReference": .number(JSON.Number(handles.number(of: place))),
      ]
    }
    return DAPReply(body: ["scopes": .array(shown)])
  }

  mutating func variables(_ request: DAPRequest) async throws -> DAPReply {
    let place = try handles.place(request.number("variablesReference") ?? 0)
    let all =
      place.isChanges ? try await changes(at: place) : try await members(of: place)
    let start = Int(clamping: max(0, request.number("start") ?? 0))
    let count = request.number("count").flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    let shown = all.dropFirst(start).prefix(count ?? .max)
    return DAPReply(body: ["variables": .array(Array(shown))])
  }

  private mutating func members(of place: DAPHandles.Place) async throws -> [JSON] {
    switch try await value(at: place) {
    case .object(let object)?:
      var shown: [JSON] = []
      for (key, value) in object { shown.append(variable(key, value, in: place)) }
      return shown
    case .array(let elements)?:
      var shown: [JSON] = []
      for (index, value) in elements.enumerated() {
        shown.append(variable("\(index)", value, in: place))
      }
      return shown
    case let value?:
      return [
        ["name": "value", "value": .string(Self.text(value)), "variablesReference": 0]
      ]
    case nil:
      return [["name": "value", "value": "absent", "variablesReference": 0]]
    }
  }

  /// A value, cut below some depth; `nil` if there is none.
  func value(at place: DAPHandles.Place) async throws -> JSON? {
    if place.path.tokens.first == "event" {
      let frame = DAPHandles.Frame(timeline: place.timeline, seq: place.seq)
      let path = Pointer(tokens: Array(place.path.tokens.dropFirst()))
      return try await entryLine(frame)?["event"]?[path]?.value
    }
    return try await inquiry.asking.ask(
      FromInspector.State {
        $0.timeline = place.timeline
        $0.seq = place.seq
        $0.path = place.path
        $0.depth = Self.depth
        $0.bytes = Self.maximumBytes
      }
    ).value?.value
  }

  /// What an entry changed: each path with its new value.
  private mutating func changes(at place: DAPHandles.Place) async throws -> [JSON] {
    let line = try await entryLine(DAPHandles.Frame(timeline: place.timeline, seq: place.seq))
    guard let line else { return [] }
    return await inquiry.changes(by: line, of: place.timeline).map { text, value in
      guard let path = try? Pointer(text), let value else {
        return ["name": .string(text), "value": "removed", "variablesReference": 0]
      }
      let target = DAPHandles.Place(timeline: place.timeline, seq: place.seq, path: path)
      return variable(named: text, value, at: target)
    }
  }

  private mutating func variable(_ key: String, _ value: JSON, in parent: DAPHandles.Place) -> JSON
  {
    var place = parent
    place.path = parent.path.appending(key)
    return variable(named: key, value, at: place)
  }

  private mutating func variable(
    named name: String, _ value: JSON, at place: DAPHandles.Place
  ) -> JSON {
    let (type, count) = Self.shape(value)
    var shown: JSON.Object = [
      "name": .string(name), "value": .string(Self.text(value)), "type": .string(type),
      "evaluateName": .string((place.isBefore ? "before." : "") + Self.expression(place.path)),
      "variablesReference": 0,
    ]
    if count > 0 {
      shown["variablesReference"] = .number(JSON.Number(handles.number(of: place)))
      shown[type == "array" ? "indexedVariables" : "namedVariables"] =
        .number(JSON.Number(Int64(count)))
    }
    return .object(shown)
  }

  /// The kind of a value, and how many members it has.
  private static func shape(_ value: JSON) -> (type: String, count: Int) {
    switch value {
    case .null: ("null", 0)
    case .bool: ("bool", 0)
    case .number: ("number", 0)
    case .string: ("string", 0)
    case .array(let elements): ("array", elements.count)
    case .object(let object): ("object", object.count)
    }
  }

  /// A value in a few words: containers of containers, and long ones, by their number of members.
  static func text(_ value: JSON) -> String {
    if let bytes = value["$cut"]?.int { return "\(bytes) bytes" }
    let text = String(decoding: value.encoded(), as: UTF8.self)
    let isShort = text.utf8.count <= maximumShown
    switch value {
    case .object(let object):
      return isShort && !object.contains { $0.value.hasMembers } ? text : "{\(object.count)}"
    case .array(let elements):
      return isShort && !elements.contains(where: \.hasMembers) ? text : "[\(elements.count)]"
    case .string(let string):
      return isShort ? text : "\"\(string.cut(toScalars: maximumShown))\""
    case .null, .bool, .number: return text.cut(toScalars: maximumShown)
    }
  }

  mutating func evaluate(_ request: DAPRequest) async throws -> DAPReply {
    let text = request.text("expression") ?? ""
    let own = try machine(request)
    let frame =
      try request.number("frameId").map { try handles.frame($0) }
      ?? DAPHandles.Frame(timeline: own.timeline, seq: own.cursor)
    let predicate = try await inquiry.predicate(text, of: frame.timeline)
    if case .value(.path(let path)) = predicate.expression, let place = Self.place(path, frame) {
      guard let value = try await value(at: place) else {
        _ = try await inquiry.remark(on: [predicate], in: frame.timeline)
        return Self.result("absent", type: "absent")
      }
      guard case .object(let shown) = variable(named: text, value, at: place) else {
        return DAPReply()
      }
      var body: JSON.Object = [:]
      body["result"] = shown["value"]
      for key in ["type", "variablesReference", "namedVariables", "indexedVariables"] {
        body[key] = shown[key]
      }
      return DAPReply(body: body)
    }
    let answer = try await inquiry.search(
      FromInspector.Find {
        $0.timeline = frame.timeline
        $0.predicate = Self.ending(predicate, after: frame.seq, .forward)
        $0.from = frame.seq
      }, limit: 1)
    if answer.unknown?.contains(where: { $0.seqs.contains(frame.seq) }) == true {
      return Self.result("unknown", type: "bool")
    }
    return Self.result(answer.seqs.first == frame.seq ? "true" : "false", type: "bool")
  }

  private static func result(_ text: String, type: String) -> DAPReply {
    DAPReply(
      body: ["result": .string(text), "type": .string(type), "variablesReference": 0])
  }

  /// Where the value of a path of a predicate is.
  private static func place(
    _ path: Predicates.Predicate.Path, _ frame: DAPHandles.Frame
  ) -> DAPHandles.Place? {
    let (root, seq): (String, Int64)
    switch path.root {
    case .state, .outputs, .event: (root, seq) = (path.root.rawValue, frame.seq)
    case .beforeState: (root, seq) = ("state", frame.seq - 1)
    case .beforeOutputs: (root, seq) = ("outputs", frame.seq - 1)
    case .name, .seq, .t, .ns, .cause, .origin, .at, .error, .gap, .restored, .jump, .was, .redacted,
      .omitted, .keyframe, .thinned:
      return nil
    }
    guard seq >= 0 else { return nil }
    let tokens = path.steps.map { step in
      switch step {
      case .key(let key): key
      case .index(let index): "\(index)"
      case .each: "*"
      }
    }
    return DAPHandles.Place(
      timeline: frame.timeline, seq: seq, path: Pointer(tokens: [root] + tokens),
      isBefore: seq < frame.seq)
  }
}

extension JSON {
  /// Whether it is an object or an array with members.
  fileprivate var hasMembers: Bool {
    switch self {
    case .object(let object): !object.isEmpty
    case .array(let elements): !elements.isEmpty
    case .null, .bool, .number, .string: false
    }
  }
}
