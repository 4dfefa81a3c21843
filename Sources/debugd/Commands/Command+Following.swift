import DebugServer
import JSONCore
import Timelines

extension CommandSpec {
  /// `debugd watch`.
  static let watch = CommandSpec(
    name: "watch", summary: "tell when timelines begin, change and go",
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
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let filter = try arguments.value("filter").map { try inquiry.predicate($0) }
      let count = try arguments.int("count", 0...100_000) ?? 10
      let summary = try await inquiry.summary(of: timeline)
      var shown = -1 as Int64
      if let last = summary.last, count > 0 {
        var window = Window(
          timeline: timeline, from: last, count: count, filter: filter, direction: .backward)
        let entries = try await window.all(inquiry)
        inquiry.show(entries.reversed())
        shown = last
      }
      if arguments.has("exit"), !summary.live { return .done }
      try await inquiry.catchUp(timeline, filter, shown: shown)
      return .done
    }
  }
}

extension Inquiry {
  /// Watches a timeline, or the list, until told to stop or until the daemon goes.
  func follow(
    _ timeline: TimelineID?, _ filter: Predicate?,
    _ body: (ToInspector) async throws -> Bool
  ) async throws {
    // Before the request, so that nothing told right after the answer is missed.
    let news = await asking.news()
    let request = FromInspector.Watch {
      $0.timeline = timeline
      $0.filter = filter
    }
    _ = try await asking.ask(.watch(request)) { _ in true }
    for await message in news {
      guard try await body(message) else { return }
    }
    throw Refusal(
      "Nothing more is told: the daemon has gone, or none was running. To fix, start one: debugd serve"
    )
  }

  /// Shows every entry behind `shown`, also those that an update left out.
  fileprivate func catchUp(
    _ timeline: TimelineID, _ filter: Predicate?, shown: Int64
  ) async throws {
    var shown = shown
    var rows = EntryRows(on: terminal)
    try await follow(timeline, filter) { message in
      switch message {
      case .live(let live) where live.timeline == timeline:
        if live.last > shown {
          var window = Window(
            timeline: timeline, from: shown + 1, count: 1_000_000, filter: filter,
            direction: .forward)
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
          shown = max(shown, live.last)
        }
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
