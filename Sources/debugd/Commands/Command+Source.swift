import DebugServer
import Foundation
import JSONCore
import Timelines
import Wire

extension CommandSpec {
  static let source = CommandSpec(
    name: "source", summary: "show the lines around the call site of an entry",
    operands: [
      .timelineOrFile,
      Operand(name: "SEQ", summary: "an entry (default: the last one)", isOptional: true),
    ],
    options: [
      .value("source", nil, "FOLDER", "a folder of sources (default: the daemon's)", repeats: true),
      .value("around", nil, "N", "how many lines before and after it, up to 20 (default: 5)"),
      .json, .data, .socket,
    ],
    details: """
      A recording names files as '#fileID' does, such as Shop/Cart.swift. Without --source, the \
      daemon looks for them in the folders that 'debugd serve --source' names. The lines are those \
      of the file as it is now.
      """,
    examples: [
      ("debugd source coin 3 --source .", "which line sent the event of entry 3?")
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let seq = try await inquiry.seq(at: 1, of: timeline)
      let around = try arguments.int("around", CallSites.aroundRange)
      let settings = try ServeSettings.sources(arguments)
      let found =
        settings.folders.isEmpty
        ? try await inquiry.asking.ask(
          FromInspector.Source {
            $0.timeline = timeline
            $0.seq = seq
            $0.around = around
          })
        : try await inquiry.source(of: seq, in: timeline, below: settings, around)
      inquiry.show(found)
      return .done
    }
  }
}

extension Inquiry {
  /// The lines in folders that the command names: the daemon's may be others, or none.
  fileprivate func source(
    of seq: Int64, in timeline: TimelineID, below settings: SourceSettings, _ around: Int64?
  ) async throws -> ToInspector.Source {
    let request = FromInspector.Raw {
      $0.timeline = timeline
      $0.seq = seq
    }
    guard let site = try await asking.ask(request).entry["at"]?.string else {
      throw CommandError("Entry \(seq) has no call site.")
    }
    do {
      return try await CallSites(settings).lines(at: site, around: around ?? CallSites.around)
    } catch {
      throw CommandError(Escaped.text(error.reply.message))
    }
  }

  fileprivate func show(_ found: ToInspector.Source) {
    if arguments.has("json") {
      var object: JSON.Object = ["at": .string(found.at), "file": .string(found.file)]
      object["line"] = .number(JSON.Number(found.line))
      object["first"] = .number(JSON.Number(found.first))
      object["lines"] = .array(found.lines.map { .string($0) })
      return printJSON(.object(object))
    }
    terminal.print(
      Escaped.text(found.at) + "  " + terminal.toned(Escaped.text(found.file), .faint))
    for (place, line) in found.lines.enumerated() {
      let number = found.first &+ Int64(place)
      let isSite = number == found.line
      let text = "\(isSite ? ">" : " ")\(EntryRows.right("\(number)", 7))  \(Escaped.text(line))"
      terminal.print(isSite ? terminal.toned(text, .good) : text)
    }
  }
}
