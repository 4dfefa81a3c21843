import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

extension CommandSpec {
  static let watch = CommandSpec(
    name: "watch", summary: "report when timelines begin, change, and end",
    options: [.json, .data, .socket], details: "To end it, press Ctrl-C. Needs a running daemon.",
    need: .daemon
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      // A change may be one that a row does not show.
      var shown: [String: String] = [:]
      try await inquiry.follow(nil, nil) { message in
        switch message {
        case .timeline(let update):
          if arguments.has("json") {
            inquiry.printJSON(TimelineRows.json(update.timeline))
          } else if let line = TimelineRows.lines([update.timeline], on: terminal).last {
            let id = update.timeline.header["timeline"]?.string ?? ""
            if shown.updateValue(line, forKey: id) != line { terminal.print(line) }
          }
        case .gone(let gone):
          if arguments.has("json") {
            inquiry.printJSON(["gone": .string(gone.timeline.text)])
          } else {
            terminal.print("deleted  \(gone.timeline.text)")
          }
        case .notice(let notice): terminal.complain(Escaped.text(notice.message))
        default: break
        }
        return true
      }
      return .done
    }
  }

  static let tail = CommandSpec(
    name: "tail", summary: "follow the entries of a timeline as they arrive",
    operands: [.timeline],
    options: [
      .value("count", "n", "N", "how many of the last entries to show first (default: 10)")
        .called("limit"),
      .filter, .flag("exit", nil, "end when the timeline ends"), .json,
      .data, .socket,
    ],
    details: "To end it, press Ctrl-C. Needs a running daemon.",
    examples: [("debugd tail coin --filter 'error != null'", "only what goes wrong")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal, follow)
  }

  /// What `tail` does.
  static func follow(_ inquiry: Inquiry) async throws -> ExitCode {
    let arguments = inquiry.arguments
    let timeline = try await inquiry.timeline()
    var filter: Predicate?
    if let text = arguments.value("filter") {
      let predicate = try await inquiry.predicate(text, of: timeline)
      if let hint = await inquiry.misspelling(in: predicate, of: timeline) {
        inquiry.terminal.complain(hint)
      }
      filter = predicate
    }
    let count = try arguments.int("count", 0...100_000) ?? 10
    let summary = try await inquiry.summary(of: timeline)
    let shown = summary.last ?? -1
    inquiry.showHeader(EntryRows.header(on: inquiry.terminal))
    if let last = summary.last, count > 0 {
      var window = Window(
        timeline: timeline, from: last, count: count, filter: filter, direction: .backward)
      let entries = try await window.all(inquiry)
      inquiry.show(entries.reversed())
    }
    if arguments.has("exit"), !summary.live { return .done }
    if !summary.live {
      inquiry.terminal.complain("The recording has ended. To stop waiting, press Ctrl-C.")
    }
    try await inquiry.showNew(timeline, filter, after: shown)
    return .done
  }
}

extension Inquiry {
  /// Watches a timeline, or the list, until `body` returns false or the daemon ends.
  ///
  /// `begun` gets the last entry that was stored when the watch began; the daemon reports only what
  /// is stored after it.
  func follow(
    _ timeline: TimelineID?, _ filter: Predicate?,
    begun: (Int64) async throws -> Bool = { _ in true },
    _ body: (ToInspector) async throws -> Bool
  ) async throws {
    // Before the request, so that nothing reported right after the answer is missed.
    let news = await asking.news()
    let request = FromInspector.Watch {
      $0.timeline = timeline
      $0.filter = filter
    }
    let done = try await asking.ask(request)
    guard try await begun(done.seq ?? -1) else { return }
    for await message in news {
      guard try await body(message) else { return }
    }
    throw CommandError(
      "The connection to the daemon ended. To fix, start it again: "
        + ServeSettings.start(arguments))
  }

  /// Shows every entry after `shown`, also those that an update left out.
  func showNew(_ timeline: TimelineID, _ filter: Predicate?, after shown: Int64) async throws {
    var shown = shown
    var rows = EntryRows(on: terminal)
    func show(upTo last: Int64) async throws {
      guard last > shown else { return }
      var window = Window(
        timeline: timeline, from: shown + 1, count: 1_000_000, filter: filter, direction: .forward)
      while let part = try await window.next(self) {
        for entry in part {
          shown = max(shown, entry["seq"]?.int ?? shown)
          if arguments.has("json") {
            printJSON(entry)
          } else {
            terminal.print(rows.line(of: entry))
          }
        }
      }
      shown = max(shown, last)
    }
    try await follow(
      timeline, filter,
      begun: { last in
        // What was stored, and whether the recorder left, between the first look and the watch.
        try await show(upTo: last)
        guard arguments.has("exit") else { return true }
        return try await summary(of: timeline).live
      }
    ) { message in
      switch message {
      case .live(let live) where live.timeline == timeline: try await show(upTo: live.last)
      case .timeline(let update)
      where update.timeline.header["timeline"]?.string == timeline.text:
        return !(arguments.has("exit") && !update.timeline.live)
      case .gone(let gone) where gone.timeline == timeline:
        terminal.complain("The timeline was deleted.")
        return false
      case .notice(let notice) where notice.timeline == timeline:
        terminal.complain(Escaped.text(notice.message))
      default: break
      }
      return true
    }
  }
}
