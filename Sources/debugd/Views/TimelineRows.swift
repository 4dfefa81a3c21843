import JSONCore
import Timelines
import Wire

/// Shows timelines: as rows of a list, in detail, and as JSON.
enum TimelineRows {
  /// The most scalars of a name in a list.
  private static let maximumCell = 100

  static func lines(
    _ summaries: [ToInspector.TimelineSummary], on terminal: Terminal
  ) -> [String] {
    lines(summaries.map { TimelineFold(of: $0) }, on: terminal)
  }

  static func lines(_ rows: [TimelineFold], on terminal: Terminal) -> [String] {
    var table = Table([
      ("id", .left), ("app", .left), ("machine", .left), ("kind", .left), ("entries", .right),
      ("size", .right), ("started", .left), ("", .left),
    ])
    for row in rows {
      let summary = row.newest
      let header = summary.header
      let folded = row.name.map { "\($0.cut(toScalars: maximumCell)) ×\(row.count)" }
      table.add([
        (String((header["timeline"]?.string ?? "").prefix(8)), .faint),
        (cell(header["app"]?["name"]), nil),
        (folded ?? cell(header["machine"]?["name"]), .name),
        (cell(header["machine"]?["kind"]), nil),
        (Amounts.count(row.entries), nil),
        (Amounts.bytes(row.bytes), nil),
        (started(header), nil),
        (row.name == nil ? remarks(summary) : "", summary.live ? .good : .careful),
      ])
    }
    return table.lines(on: terminal)
  }

  private static func cell(_ text: JSONSlice?) -> String {
    text?.string?.cut(toScalars: maximumCell) ?? ""
  }

  /// What a shell offers: names of machines, names that were given, ids.
  ///
  /// Names are recorded text, and some shells insert what is chosen without quotes. A name that any
  /// shell might read as more than a word is left out; its id is there.
  static func words(_ summaries: [ToInspector.TimelineSummary]) -> [String] {
    let machines = summaries.compactMap { $0.header["machine"]?["name"]?.string }
    let names = Set(machines + summaries.compactMap(\.name)).filter(ShellWord.isHarmless)
    let ids = summaries.compactMap { $0.header["timeline"]?.string.flatMap { TimelineID($0) } }
    return names.sorted() + ids.map(\.text)
  }

  static func details(_ summary: ToInspector.TimelineSummary, on terminal: Terminal) -> [String] {
    let header = summary.header
    var rows: [(String, String)] = [
      ("timeline", header["timeline"]?.string ?? ""),
      ("machine", header["machine"]?["name"]?.string ?? ""),
      ("type", header["machine"]?["type"]?.string ?? ""),
      ("app", app(header)),
      ("started", header["started"]?.string ?? ""),
      ("entries", entries(summary)),
      ("lasted", Amounts.duration(summary.duration)),
      ("size", Amounts.bytes(summary.bytes)),
    ]
    if let kind = header["machine"]?["kind"]?.string { rows.insert(("kind", kind), at: 2) }
    if let commit = header["app"]?["commit"]?.string {
      let place = rows.firstIndex { $0.0 == "started" } ?? rows.endIndex
      rows.insert(("commit", commit), at: place)
    }
    if let name = summary.name { rows.insert(("name", name), at: 1) }
    if let parent = header["parent"] {
      rows.append(
        ("branch of", "\(parent["timeline"]?.string ?? "") from \(parent["start"]?.int ?? 0)"))
    }
    if let origin = header["forkedFrom"] {
      let place = "\(origin["timeline"]?.string ?? "") at entry \(origin["seq"]?.int ?? 0)"
      rows.append(("fork of", "\(place), by a process that was forked"))
    }
    if let branches = summary.branches, branches > 0 { rows.append(("branches", "\(branches)")) }
    if let gap = summary.gap { rows.append(("lost", lost(gap))) }
    let remarks = remarks(summary)
    if !remarks.isEmpty { rows.append(("now", remarks)) }
    for mark in summary.marks ?? [] { rows.append(("mark", "\(mark.seq)  \(mark.text)")) }
    return rows.map { row($0, $1, on: terminal) }
  }

  /// A line of the details: what it is about, and what is to be said of it.
  static func row(_ name: String, _ text: String, on terminal: Terminal) -> String {
    terminal.toned(name + String(repeating: " ", count: max(1, 11 - name.count)), .faint)
      + Escaped.text(text)
  }

  /// What was lost at a timeline's end.
  static func lost(_ gap: Gap) -> String {
    "\(Amounts.count(gap.lost)) after the last entry: \(gap.why)"
  }

  /// The summary as the protocol has it.
  static func json(_ summary: ToInspector.TimelineSummary) -> JSON {
    var message = ToInspector.Timeline()
    message.timeline = summary
    let frame = Envelope<ToInspector>(.timeline(message)).encoded()
    return (try? JSON(parsing: frame))?["timeline"] ?? .null
  }

  /// The summary with how the app ended, as `crashed`.
  static func json(_ summary: ToInspector.TimelineSummary, _ crash: CrashReport) -> JSON {
    guard let crashed = crash.json, case .object(var object) = json(summary) else {
      return json(summary)
    }
    object["crashed"] = crashed
    return .object(object)
  }

  private static func entries(_ summary: ToInspector.TimelineSummary) -> String {
    guard let first = summary.first, let last = summary.last else { return "none" }
    return "\(Amounts.count(summary.entries)), from \(first) to \(last)"
  }

  private static func app(_ header: JSONSlice) -> String {
    let app = header["app"]
    var text = app?["name"]?.string ?? ""
    if let version = app?["version"]?.string { text += " " + version }
    if let pid = app?["pid"]?.int { text += ", process \(pid)" }
    if let host = app?["host"]?.string { text += " on \(host)" }
    return text
  }

  private static func started(_ header: JSONSlice) -> String {
    let text = header["started"]?.string ?? ""
    // Seconds are enough for a list.
    return String(text.prefix(19).map { $0 == "T" ? " " : $0 })
  }

  private static func remarks(_ summary: ToInspector.TimelineSummary) -> String {
    var remarks: [String] = []
    if summary.live { remarks.append("live") }
    if summary.controllable { remarks.append("controllable") }
    if summary.header["parent"] != nil { remarks.append("branch") }
    if let computing = summary.computing { remarks.append("computing, at \(computing)") }
    if let ended = summary.ended { remarks.append("ended: \(ended.rawValue)") }
    if let name = summary.name { remarks.append(Escaped.quoted(name)) }
    if let gap = summary.gap { remarks.append("\(Amounts.count(gap.lost)) lost at its end") }
    let marks = summary.marks?.count ?? 0
    if marks > 0 { remarks.append(marks == 1 ? "1 mark" : "\(marks) marks") }
    return remarks.joined(separator: ", ")
  }
}
