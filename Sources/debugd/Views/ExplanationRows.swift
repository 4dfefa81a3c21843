import JSONCore
import Timelines
import Wire

/// What led to an entry, for people and as JSON.
struct ExplanationRows {
  private let found: ToInspector.Explain

  init(_ found: ToInspector.Explain) { self.found = found }

  func lines(on terminal: Terminal) -> [String] {
    var lines = [head(on: terminal)]
    let add = { (title: String, body: [String]) in
      guard !body.isEmpty else { return }
      lines += ["", terminal.toned(title, .strong)] + body.map { "  " + $0 }
    }
    add("Values", values(on: terminal))
    add("Causes", links)
    if let fewest = found.fewest {
      let count = Amounts.count(Int64(fewest.entries.count), "event")
      let length = fewest.minimal ? "each is needed" : "maybe not the fewest"
      add(
        "Fewest events: \(count), \(length), \(fewest.label.rawValue)",
        fewest.entries.map { line(of: $0) })
    }
    add("Compared with a healthy recording", difference)
    add("Missing", (found.missing ?? []).map { Escaped.text($0) })
    return lines
  }

  private func head(on terminal: Terminal) -> String {
    guard let entry = found.entries.first else { return "" }
    var text = terminal.toned("Entry \(Self.title(of: entry))", .strong)
    if let predicate = found.predicate {
      text += "  \(Escaped.text("\(predicate)"))"
      if let since = found.since {
        text += since == entry.seq ? ", and not before it" : ", since entry \(since)"
      }
    }
    return text + Self.remarks(on: entry)
  }

  private func values(on terminal: Terminal) -> [String] {
    var table = Table([
      ("path", .left), ("before → after", .left), ("set by", .left), ("", .left),
    ])
    for value in found.values {
      table.add([
        (value.path, nil), (Self.text(value.before) + " → " + Self.text(value.value), nil),
        (setter(of: value), nil), (value.label.rawValue, .faint),
      ])
    }
    return table.lines(on: terminal)
  }

  private func setter(of value: ToInspector.ExplainedValue) -> String {
    guard let seq = value.seq else { return "as at the start" }
    let entry = found.entries.first { $0.seq == seq && $0.timeline == nil }
    return entry.map { Self.title(of: $0) } ?? "\(seq)"
  }

  private var links: [String] {
    found.links.map { link in
      let reason: String
      switch link.reason {
      case .cause: reason = "sent the event of"
      case .value: reason = "set \(Escaped.text(link.path ?? "")), which was read at"
      case .earlier: reason = "set \(Escaped.text(link.path ?? "")) before"
      }
      let (from, to) = (entry(link.from), entry(link.to))
      let remarks = from.map { Self.remarks(on: $0) } ?? ""
      return
        "\(from.map { Self.title(of: $0) } ?? "?") \(reason) \(to.map { Self.title(of: $0) } ?? "?")"
        + "  \(link.label.rawValue)\(remarks)"
    }
  }

  private func entry(_ place: Int64) -> ToInspector.ExplainedEntry? {
    found.entries.indices.contains(Int(clamping: place)) ? found.entries[Int(place)] : nil
  }

  private var difference: [String] {
    guard let healthy = found.healthy else { return [] }
    let id = healthy.timeline.text.prefix(8)
    guard let entry = healthy.entry else {
      return ["\(id) has the same events, so they do not explain it  \(healthy.label.rawValue)"]
    }
    guard let other = healthy.other else {
      return ["\(id) does not have \(line(of: entry))  \(healthy.label.rawValue)"]
    }
    return [
      "\(line(of: entry)) is different in \(id)  \(healthy.label.rawValue)",
      "there: \(line(of: other))",
    ]
  }

  /// `2 discounted  {"cents":50}`.
  private func line(of entry: ToInspector.ExplainedEntry) -> String {
    let event = entry.event.map { String(decoding: Escaped.json($0.bytes), as: UTF8.self) }
    return Self.title(of: entry) + (event.map { "  \($0)" } ?? "")
  }

  /// `2 discounted`.
  private static func title(of entry: ToInspector.ExplainedEntry) -> String {
    let place = entry.timeline.map { "\($0.text.prefix(8)):\(entry.seq)" } ?? "\(entry.seq)"
    guard let name = entry.name else { return place }
    return "\(place) \(Escaped.text(name))"
  }

  private static func remarks(on entry: ToInspector.ExplainedEntry) -> String {
    let place = entry.at.map { "  \(Escaped.text($0))" } ?? ""
    return place + (entry.error.map { "  error: \(Escaped.text($0))" } ?? "")
  }

  private static func text(_ value: JSONSlice?) -> String {
    value.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "…"
  }

  /// The answer, as the protocol has it.
  var json: JSON {
    var object = (try? JSON(parsing: Envelope(ToInspector.explain(found)).encoded()))?.object ?? [:]
    object["type"] = nil
    return .object(object)
  }
}
