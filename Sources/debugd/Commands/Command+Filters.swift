import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

extension CommandSpec {
  static let filters = CommandSpec(
    name: "filters", summary: "list, keep, or delete named filters of a machine",
    operands: [
      .timeline,
      Operand(name: "NAME", summary: "the name of a filter", isOptional: true),
      Operand(name: "PREDICATE", summary: "the filter to keep under the name", isOptional: true),
    ],
    options: [.flag("delete", nil, "delete the filter"), .json, .data, .socket],
    details: """
      The daemon keeps filters for all recordings of a type of machine. In --filter, and in the \
      predicate of find, write @NAME for a filter.
      """,
    examples: [
      ("debugd filters coin", "the filters of the coin"),
      ("debugd filters coin errors 'error != null'", "keep one"),
      ("debugd entries coin --filter @errors", "use it"),
      ("debugd filters coin errors --delete", "delete it"),
    ]
  ) { arguments, terminal in
    // In predicates, the name has an @, so it may have one here, too.
    let name = arguments.operand(1).map { $0.hasPrefix("@") ? String($0.dropFirst()) : $0 }
    let text = arguments.operand(2)
    if arguments.has("delete"), name == nil || text != nil {
      throw arguments.error("--delete needs the NAME of a filter, and nothing else.")
    }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let machine = try await inquiry.machineType(of: timeline)
      var asked = FromInspector.Filters { $0.machine = machine }
      if let text {
        asked.name = name
        let predicate = try await inquiry.predicate(text, of: timeline)
        // Another recording of this machine may have the path.
        if let hint = await inquiry.misspelling(in: predicate, of: timeline) {
          terminal.complain(hint)
        }
        asked.predicate = predicate
      } else if arguments.has("delete") {
        asked.name = name
      }
      let filters = try await inquiry.asking.ask(asked).filters
      let shown =
        text == nil && !arguments.has("delete")
        ? filters.filter { $0.name == name || name == nil } : filters
      if arguments.has("delete"), let name, !arguments.has("json") {
        terminal.print("deleted  \(Escaped.text(name))")
      }
      inquiry.show(shown)
      guard shown.isEmpty, asked.name == nil else { return .done }
      terminal.complain(
        name.flatMap { filters.isEmpty ? nil : inquiry.noFilter($0, filters, timeline) }
          ?? """
          This machine has no filters. To keep one, run: debugd filters \
          \(timeline.text.prefix(8)) \(name.flatMap(ShellWord.text) ?? "errors") 'error != null'\
          \(ServeSettings.dataOption(arguments))
          """)
      return name == nil ? .done : .failed
    }
  }
}

extension Inquiry {
  /// The type of a timeline's machine, for which filters are kept.
  func machineType(of timeline: TimelineID) async throws -> String {
    try await summary(of: timeline).header["machine"]?["type"]?.string ?? ""
  }

  /// The filter of a name, written as `@NAME`.
  func namedFilter(_ name: Substring, of timeline: TimelineID) async throws -> Predicates.Predicate
  {
    guard files == nil else {
      throw arguments.error(
        """
        A daemon keeps named filters, and a file has none. To fix, write the condition in place of \
        '@\(Escaped.text(String(name)))', for example: 'error != null'
        """)
    }
    let machine = try await machineType(of: timeline)
    let filters = try await asking.ask(FromInspector.Filters { $0.machine = machine }).filters
    guard let found = filters.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw arguments.error(
        Self.combined(name, filters) ?? noFilter(String(name), filters, timeline))
    }
    return try Predicates.Predicate(found.predicate)
  }

  /// How to write a condition in which a filter's name is only the beginning; `nil` for another text.
  private static func combined(_ text: Substring, _ filters: [ToInspector.NamedFilter]) -> String? {
    let begun = filters.filter { filter in
      text.hasPrefix(filter.name) && text.dropFirst(filter.name.count).first?.isWhitespace == true
    }
    guard let filter = begun.max(by: { $0.name.count < $1.name.count }) else { return nil }
    let rest = text.dropFirst(filter.name.count)
    return Escaped.text(
      "A named filter is a whole condition. To combine '@\(filter.name)' with another one, write what "
        + "it means: (\(filter.predicate))\(rest)")
  }

  fileprivate func noFilter(
    _ name: String, _ filters: [ToInspector.NamedFilter], _ timeline: TimelineID
  ) -> String {
    let near = Suggestion.nearest(to: name, among: filters.map(\.name)).map {
      " Did you mean \(Escaped.quoted("@" + $0))?"
    }
    return
      "There is no filter \(Escaped.quoted(name)).\(near ?? "") To see all, run: debugd filters "
      + timeline.text.prefix(8) + ServeSettings.dataOption(arguments)
  }

  fileprivate func show(_ filters: [ToInspector.NamedFilter]) {
    for filter in filters {
      if arguments.has("json") {
        printJSON(["name": .string(filter.name), "predicate": .string(filter.predicate)])
      } else {
        terminal.print("\(Escaped.text(filter.name))  \(Escaped.text(filter.predicate))")
      }
    }
  }
}
