import DebugServer
import JSONCore
import Timelines

extension CommandSpec {
  /// `debugd watch`.
  static let watch = CommandSpec(
    name: "watch", summary: "report when timelines begin, change, and end",
    options: [.json, .data], details: "Ends with Ctrl-C. Needs a running daemon."
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      try await inquiry.follow(nil, nil) { message in
        switch message {
        case .timeline(let told):
          if arguments.has("json") {
            inquiry.printJSON(TimelineRows.json(told.timeline))
          } else {
            for line in TimelineRows.lines([told.timeline], on: terminal).suffix(1) {
              terminal.print(line)
            }
          }
        case .gone(let gone):
          if arguments.has("json") {
            inquiry.printJSON(["gone": .string(gone.timeline.text)])
          } else {
            terminal.print("gone  \(gone.timeline.text)")
          }
        case .notice(let notice): terminal.complain(Escaped.text(notice.message))
        default: break
        }
        return true
      }
      return .done
    }
  }

  /// `debugd tail`.
  static let tail = CommandSpec(
    name: "tail", summary: "follow the entries of a timeline as they come",
    operands: [.timeline],
    options: [
      .value("count", "n", "N", "how many of the last entries to begin with; 10 unless told"),
      .filter, .flag("exit", nil, "end when the timeline is not being written any more"), .json,
      .data,
    ],
    details: "Ends with Ctrl-C. Needs a running daemon.",
    examples: [("debugd tail coin --filter 'error != null'", "only what goes wrong")]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal, follow)
  }

  /// What `tail` does.
  static func follow(_ inquiry: Inquiry) async throws -> ExitCode {
    let arguments = inquiry.arguments
    let timeline = try await inquiry.timeline()
    let filter = try arguments.value("filter").map { try inquiry.predicate($0) }
    let count = try arguments.int("count", 0...100_000) ?? 10
    let summary = try await inquiry.summary(of: timeline)
    let shown = summary.last ?? -1
    if let last = summary.last, count > 0 {
      var window = Window(
        timeline: timeline, from: last, count: count, filter: filter, direction: .backward)
      let entries = try await window.all(inquiry)
      inquiry.show(entries.reversed())
    }
    if arguments.has("exit"), !summary.live { return .done }
    try await inquiry.showNew(timeline, filter, after: shown)
    return .done
  }
}

extension Inquiry {
  /// Watches a timeline, or the list, until told to stop or until the daemon goes.
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
    let last = try await asking.ask(.watch(request)) {
      if case .done(let done) = $0 { done.seq ?? -1 } else { nil }
    }
    guard try await begun(last) else { return }
    for await message in news {
      guard try await body(message) else { return }
    }
    throw Refusal(
      "No daemon is running, or it ended, so nothing more can be shown. To fix, start one: "
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
      case .timeline(let told)
      where told.timeline.header["timeline"]?.string == timeline.text:
        return !(arguments.has("exit") && !told.timeline.live)
      case .gone(let gone) where gone.timeline == timeline:
        terminal.complain("The timeline was deleted.")
        return false
      default: break
      }
      return true
    }
  }
}
