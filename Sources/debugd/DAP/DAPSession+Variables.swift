import DebugServer
import JSONCore
import Timelines
import Wire

/// Values at an entry: scopes, their members, and expressions.
extension DAPSession {
  /// A value is read to this depth: its members, and how many members those have.
  private static let depth: Int64 = 3
  static let maximumBytes: Int64 = 1 << 20
  /// What is read when an editor asks for members that this cuts.
  private static let maximumPagedBytes: Int64 = 64 << 20
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
    let start = Int(clamping: max(0, request.number("start") ?? 0))
    let count = request.number("count").flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    let page =
      if place.isChanges {
        Array(try await changes(at: place).dropFirst(start).prefix(count ?? .max))
      } else {
        try await members(of: place, from: start, count)
      }
    return DAPReply(body: ["variables": .array(page)])
  }

  /// Members of a value. If an editor asks for some beyond those that are read at first, more are.
  private mutating func members(
    of place: DAPHandles.Place, from start: Int, _ count: Int?
  ) async throws -> [JSON] {
    guard var value = try await value(at: place) else {
      return [["name": "value", "value": "absent", "variablesReference": 0]]
    }
    if let count, let members = DAPMembers(value), members.isCut,
      members.shown.dropFirst(start).count < count
    {
      value = try await self.value(at: place, bytes: Self.maximumPagedBytes) ?? value
    }
    guard let members = DAPMembers(value) else {
      return [["name": "value", "value": .string(Self.text(value)), "variablesReference": 0]]
    }
    let page = members.shown.dropFirst(start).prefix(count ?? .max)
    var rows: [JSON] = []
    for (name, value) in page { rows.append(variable(name, value, in: place)) }
    if members.isCut, rows.count < count ?? .max {
      rows.append(["name": "…", "value": .string(members.cutText), "variablesReference": 0])
    }
    return rows
  }

  /// A value, cut below some depth; `nil` if there is none.
  func value(
    at place: DAPHandles.Place, bytes: Int64 = Self.maximumBytes
  ) async throws -> JSON? {
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
        $0.bytes = bytes
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

  mutating func variable(
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
  static func shape(_ value: JSON) -> (type: String, count: Int) {
    let count = DAPMembers(value)?.count ?? 0
    return switch value {
    case .null: ("null", 0)
    case .bool: ("bool", 0)
    case .number: ("number", 0)
    case .string: ("string", 0)
    case .array: ("array", count)
    case .object: ("object", count)
    }
  }

  /// A value in a few words: containers of containers, and long ones, by their number of members.
  static func text(_ value: JSON) -> String {
    if let bytes = value["$cut"]?.int { return "\(bytes) bytes" }
    let text = String(decoding: value.encoded(), as: UTF8.self)
    let isShort = text.utf8.count <= maximumShown
    switch value {
    case .object(let object):
      return isShort && !object.contains { $0.value.hasMembers } ? text : "{\(shape(value).count)}"
    case .array(let elements):
      return isShort && !elements.contains(where: \.hasMembers) ? text : "[\(shape(value).count)]"
    case .string(let string):
      return isShort ? text : "\"\(string.cut(toScalars: maximumShown))\""
    case .null, .bool, .number: return text.cut(toScalars: maximumShown)
    }
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
