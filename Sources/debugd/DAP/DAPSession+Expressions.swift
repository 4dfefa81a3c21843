import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

/// Expressions that an editor evaluates: paths, sums, and conditions.
extension DAPSession {
  mutating func evaluate(_ request: DAPRequest) async throws -> DAPReply {
    let text = request.text("expression") ?? ""
    let own = try machine(request)
    let frame =
      try request.number("frameId").map { try handles.frame($0) }
      ?? DAPHandles.Frame(timeline: own.timeline, seq: own.cursor)
    let predicate = try await inquiry.predicate(text, of: frame.timeline)
    if case .value(let operand) = predicate.expression {
      return try await evaluate(operand, of: predicate, text, frame)
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

  /// The value of an expression that compares nothing.
  private mutating func evaluate(
    _ operand: Predicates.Predicate.Operand, of predicate: Predicates.Predicate, _ text: String,
    _ frame: DAPHandles.Frame
  ) async throws -> DAPReply {
    var computed = Predicates.Predicate.OperandValue.absent
    if case .path(let path) = operand, let place = Self.place(path, frame) {
      if let value = try await value(at: place) { return shown(value, text, at: place) }
      // A list or text has no member for its count.
      if path.steps.last == .key("count") {
        computed = try await compute(operand, predicate, frame)
      }
    } else {
      computed = try await compute(operand, predicate, frame)
    }
    switch computed {
    case .known(let value): return Self.result(Self.text(value), type: Self.shape(value).type)
    case .unknown: return Self.result("unknown", type: "unknown")
    case .absent:
      let remark = try await inquiry.remark(on: [predicate], in: frame.timeline)
      return Self.result(remark.map { "absent. \($0)" } ?? "absent", type: "absent")
    }
  }

  /// A value that an editor can expand.
  private mutating func shown(
    _ value: JSON, _ text: String, at place: DAPHandles.Place
  ) -> DAPReply {
    let shown = variable(named: text, value, at: place)
    var body: JSON.Object = [:]
    body["result"] = shown["value"]
    for key in ["type", "variablesReference", "namedVariables", "indexedVariables"] {
      body[key] = shown[key]
    }
    return DAPReply(body: body)
  }

  /// Computes what a moment does not contain: a sum, a count, or the values at `[*]`.
  private func compute(
    _ operand: Predicates.Predicate.Operand, _ predicate: Predicates.Predicate,
    _ frame: DAPHandles.Frame
  ) async throws -> Predicates.Predicate.OperandValue {
    let line = FromInspector.Raw {
      $0.timeline = frame.timeline
      $0.seq = frame.seq
    }
    var moment = EntrySubject(entry: try await inquiry.asking.ask(line).entry)
    let sides = predicate.needs
    if sides.contains(.after) {
      moment.after = try await values(after: frame.seq, of: frame.timeline)
    }
    if sides.contains(.before), frame.seq > 0 {
      moment.before = try await values(after: frame.seq - 1, of: frame.timeline)
    }
    return operand.value(at: moment)
  }

  private func values(after seq: Int64, of timeline: TimelineID) async throws -> SideValues {
    let request = FromInspector.State {
      $0.timeline = timeline
      $0.seq = seq
    }
    guard let moment = try await inquiry.asking.ask(request).value, let state = moment["state"]
    else { return .unknown }
    return .known(
      state: .text(state), outputs: moment["outputs"].map(JSONView.text) ?? .tree(.null))
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
    case .name, .seq, .t, .ns, .cause, .origin, .at, .error, .gap, .restored, .jump, .was,
      .redacted, .omitted, .keyframe, .thinned:
      return nil
    }
    guard seq >= 0 else { return nil }
    var tokens = [root]
    for step in path.steps {
      switch step {
      case .key(let key): tokens.append(key)
      case .index(let index): tokens.append("\(index)")
      // That is a list of values, each at a place of its own.
      case .each: return nil
      }
    }
    return DAPHandles.Place(
      timeline: frame.timeline, seq: seq, path: Pointer(tokens: tokens),
      isBefore: seq < frame.seq)
  }
}
