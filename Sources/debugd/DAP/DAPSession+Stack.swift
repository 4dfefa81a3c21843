import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

/// The stack is the chain of causes: the entry, the one that caused it, and so on.
extension DAPSession {
  /// Longer chains are cut.
  private static let maximumFrames: Int64 = 1000

  mutating func stackTrace(_ request: DAPRequest) async throws -> DAPReply {
    let machine = try machine(request)
    let start = min(Self.maximumFrames, max(0, request.number("startFrame") ?? 0))
    let rest = Self.maximumFrames - start
    let levels = request.number("levels") ?? 0
    let end = start + (levels > 0 ? min(levels, rest) : rest)
    var frames: [JSON] = []
    var place: DAPHandles.Frame? = DAPHandles.Frame(timeline: machine.timeline, seq: machine.cursor)
    var depth: Int64 = 0
    // Recordings of two machines can name each other's entries as causes.
    var seen: Set<DAPHandles.Frame> = []
    while let frame = place, depth < end, seen.insert(frame).inserted,
      let line = try await entryLine(frame)
    {
      if depth >= start { frames.append(show(frame, line)) }
      depth += 1
      place = CauseReference(of: line, in: frame.timeline).map {
        DAPHandles.Frame(timeline: $0.timeline, seq: $0.seq)
      }
    }
    // An editor asks for more as long as there are more.
    let isCut =
      depth == end && end < Self.maximumFrames && place.map { !seen.contains($0) } ?? false
    let total = isCut ? depth + 1 : depth
    return DAPReply(
      body: ["stackFrames": .array(frames), "totalFrames": .number(JSON.Number(total))])
  }

  /// The line of an entry; `nil` if it is not there.
  func entryLine(_ frame: DAPHandles.Frame) async throws -> JSONSlice? {
    let request = FromInspector.Entries {
      $0.timeline = frame.timeline
      $0.from = frame.seq
      $0.count = 1
    }
    return try await inquiry.asking.ask(request).entries.first { $0["seq"]?.int == frame.seq }
  }

  private mutating func show(_ frame: DAPHandles.Frame, _ line: JSONSlice) -> JSON {
    var shown: JSON.Object = [
      "id": .number(JSON.Number(handles.number(of: frame))),
      "name": .string(Self.title(line, frame.seq)),
      "line": 0, "column": 0,
    ]
    guard let text = line["at"]?.string, let site = RecordedCallSite(text) else {
      shown["presentationHint"] = "subtle"
      return .object(shown)
    }
    var source: JSON.Object = ["name": .string(Self.fileName(site.file))]
    switch sources?.file(named: site.file) {
    case .file(let path)?:
      source["path"] = .string(path)
      shown["line"] = .number(JSON.Number(Int64(site.line - 1 + client.firstLine)))
      shown["column"] = .number(JSON.Number(Int64(client.firstColumn)))
    case .ambiguous(let count)?: source["origin"] = .string("\(count) files have this name")
    case .missing?: source["origin"] = "not in the folder of sources"
    case nil: source["origin"] = "the launch configuration names no folder of sources"
    }
    shown["source"] = .object(source)
    return .object(shown)
  }

  /// What happened at an entry, in a few words.
  static func title(_ line: JSONSlice, _ seq: Int64) -> String {
    let event = line["event"].map { slice in
      slice.string ?? (slice.bytes.count <= 80 ? String(decoding: slice.bytes, as: UTF8.self) : nil)
        ?? slice.value.object.flatMap { object in object.map(\.key).first } ?? "an event"
    }
    let what =
      event ?? (line["restored"] != nil ? "restored" : line["jump"] != nil ? "jump" : "start")
    return "\(seq)  \(what)"
  }

  func exceptionInfo(_ request: DAPRequest) async throws -> DAPReply {
    let machine = try machine(request)
    let line = try await entryLine(
      DAPHandles.Frame(timeline: machine.timeline, seq: machine.cursor))
    let hits = lastHit?.thread == machine.thread ? lastHit?.filters ?? [] : []
    guard let line, let filter = hits.first else {
      throw DAPError("Entry \(machine.cursor) was not stopped at for an error, a trap, or a gap.")
    }
    let lost = line["gap"]?["lost"]?.int ?? 0
    let text =
      switch filter {
      case .error: line["error"]?.string ?? "an error"
      case .trap: "The program ended while it handled this event."
      case .gap: "\(lost) entries are missing: \(line["gap"]?["why"]?.string ?? "unknown")"
      }
    return DAPReply(
      body: [
        "exceptionId": .string(filter.rawValue), "description": .string(text),
        "breakMode": "always",
      ])
  }
}
