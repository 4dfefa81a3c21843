import JSONCore
import Predicates
import Timelines

/// Shows entries, one line each: number, time, event, payload, and what changed.
struct EntryRows {
  private let terminal: Terminal
  private var previous: Int64?

  init(on terminal: Terminal) {
    self.terminal = terminal
  }

  /// The titles of the columns, for people.
  static func header(on terminal: Terminal) -> String {
    let titles = [right("seq", 8), right("time", 11), right("since", 9), "event"]
    return terminal.toned(titles.joined(separator: "  "), .faint)
  }

  /// The line of an entry, as `entries` and `live` give it.
  ///
  /// - Parameter leaf: where `anywhere` found what it looks for.
  mutating func line(of entry: JSONSlice, leaf: Pointer? = nil) -> String {
    let seq = entry["seq"]?.int ?? 0
    let t = entry["t"]?.int ?? 0
    let delta = previous.map { t - $0 }
    previous = t
    var parts = [
      Self.right("\(seq)", 8),
      terminal.toned(Self.right(Amounts.duration(t), 11), .faint),
      terminal.toned(Self.right(delta.map(Self.delta) ?? "", 9), .faint),
      Self.name(of: entry, on: terminal),
    ]
    if let payload = Self.payload(of: entry, width: 60) { parts.append(payload) }
    if let leaf {
      parts.append(
        terminal.toned(
          "in " + Escaped.text(Predicates.Predicate.Path(to: leaf).description), .strong))
    }
    parts += remarks(on: entry)
    return parts.joined(separator: "  ")
  }

  private func remarks(on entry: JSONSlice) -> [String] {
    var remarks: [String] = []
    if let gap = entry["gap"] {
      let why = Escaped.text(gap["why"]?.string ?? "")
      remarks.append(terminal.toned("(\(gap["lost"]?.int ?? 0) lost before: \(why))", .bad))
    }
    if let cause = Self.cause(of: entry) {
      remarks.append(terminal.toned("caused by \(cause)", .faint))
    }
    if let error = entry["error"]?.string {
      remarks.append(terminal.toned("error: \(Escaped.text(error.cut(toScalars: 120)))", .bad))
    }
    let outputs = Self.changedOutputs(of: entry)
    if !outputs.isEmpty { remarks.append(terminal.toned("→ " + outputs, .good)) }
    if entry["patch"] == nil, entry["omitted"] != nil || Self.isThinned(entry) {
      remarks.append(terminal.toned("(state not captured)", .careful))
    }
    return remarks
  }

  /// The entry that an entry names as its cause, as commands take it.
  private static func cause(of entry: JSONSlice) -> String? {
    guard let cause = entry["cause"] else { return nil }
    if let seq = cause.int { return "\(seq)" }
    return cause.string.flatMap { EntryReference($0) }
      .map { "\($0.timeline.text.prefix(8)):\($0.seq)" }
  }

  /// Without full states a keyframe looks thinned; only what has an event and no patch is.
  private static func isThinned(_ entry: JSONSlice) -> Bool {
    entry["event"] != nil && entry["patch"] == nil && entry["gap"] == nil
      && entry["keyframe"] == nil && entry["state"] == nil
  }

  static func name(of entry: JSONSlice, on terminal: Terminal) -> String {
    if let event = entry["event"] {
      return terminal.toned(Escaped.text(Entry.name(of: event) ?? "event"), .name)
    }
    if let from = entry["restored"] {
      return terminal.toned("restored from \(from["seq"]?.int ?? 0)", .strong)
    }
    return terminal.toned(entry["jump"] != nil ? "jump" : "start", .strong)
  }

  /// What the event carries, on one line.
  static func payload(of entry: JSONSlice, width: Int) -> String? {
    guard let event = entry["event"], event.kind == .object else { return nil }
    let members = Array(event.members.prefix(2))
    let payload = members.count == 1 ? members[0].value : event
    if payload.kind == .object, payload.members.first == nil { return nil }
    // A line shows little of it; reading more would only be cut.
    guard payload.bytes.count < 1 << 16 else {
      return "{… \(Amounts.bytes(Int64(payload.bytes.count)))}"
    }
    return PrettyJSON.line(payload.value, width: width)
  }

  private static func changedOutputs(of entry: JSONSlice) -> String {
    guard let patch = entry["outputs"], patch.kind == .array else { return "" }
    var names: [String] = []
    for operation in patch.elements.prefix(32) {
      guard let path = operation["path"]?.string, let name = try? Pointer(path).tokens.first,
        !names.contains(name)
      else { continue }
      names.append(name)
    }
    return names.map { Escaped.text($0) }.joined(separator: ", ")
  }

  private static func delta(_ microseconds: Int64) -> String {
    // Backward, each entry is earlier than the one on the line above it.
    let sign = microseconds < 0 ? "-" : "+"
    let magnitude = microseconds == .min ? .max : abs(microseconds)
    return switch magnitude {
    case ..<1000: "\(sign)\(magnitude) µs"
    case ..<1_000_000: "\(sign)\(Amounts.fixed(Double(magnitude) / 1000, 1)) ms"
    default: "\(sign)\(Amounts.duration(magnitude))"
    }
  }

  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
