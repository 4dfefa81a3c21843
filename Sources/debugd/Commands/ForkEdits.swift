import DebugServer
import JSONCore
import Timelines
import Wire

extension Inquiry {
  /// The edit script that the options of `fork` make, in their order.
  func edits(of timeline: TimelineID, through: Int64?) async throws -> ForkScript {
    var script = ForkScript()
    let summary = try await summary(of: timeline)
    let schema = summary.header["schema"].flatMap { EventSchema(json: $0.value) }
    let entries = EditableEntries(summary, through: through)
    if let through, let problem = EditableEntries(summary, through: nil)?.problem(through, .state) {
      throw arguments.error("--through \(through): \(problem).")
    }
    for (name, value) in arguments.order {
      let edits: [JSON]
      switch name {
      case "repeat":
        let seq = try arguments.seq(value, name, .event, entries)
        let event = try await event(of: seq, in: timeline).value
        edits = [["insert": event, "before": number(seq + 1)]]
      case "redispatch":
        let seq = try arguments.seq(value, name, .event, entries)
        edits = [["append": try await event(of: seq, in: timeline).value]]
      default: edits = try arguments.edits(name, value, schema, entries)
      }
      script.add(edits, "--\(name) \(value)")
    }
    guard arguments.has("again") || !script.edits.isEmpty else {
      throw arguments.error("A branch needs an edit, such as --drop SEQ or --cut SEQ.")
    }
    return script
  }

  /// The event that an entry recorded.
  func event(of seq: Int64, in timeline: TimelineID) async throws -> JSONSlice {
    let request = FromInspector.Raw {
      $0.timeline = timeline
      $0.seq = seq
    }
    let entry = try await asking.ask(request).entry
    guard let event = entry["event"] else { throw CommandError("Entry \(seq) has no event.") }
    return event
  }
}

/// The edits of a branch, each with the option that it came from.
struct ForkScript {
  private(set) var edits: [JSON] = []
  private var options: [String] = []

  /// Adds the edits of an option.
  mutating func add(_ edits: [JSON], _ option: String) {
    self.edits += edits
    options += edits.map { _ in option }
  }

  /// The script as the protocol has it.
  var slice: JSONSlice {
    get throws { try JSONSlice(validating: JSON.array(edits).encoded()) }
  }

  /// The daemon's message, with the option in place of the number of the edit.
  func named(_ message: String) -> String {
    let parts = message.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("Edit "), let index = Int(parts[0].dropFirst(5)),
      options.indices.contains(index)
    else { return message }
    return "\(options[index]):\(parts[1])"
  }
}

private func number(_ seq: Int64) -> JSON { .number(JSON.Number(seq)) }

extension ParsedArguments {
  /// The edits that an option stands for; none when it stands for something else.
  fileprivate func edits(
    _ name: String, _ value: String, _ schema: EventSchema?, _ entries: EditableEntries?
  ) throws -> [JSON] {
    switch name {
    case "drop": return try ranges(value, entries)
    case "replace":
      let (seq, event) = try placed(value, name, schema, .event, entries)
      return [["replace": number(seq), "event": event]]
    case "insert":
      let (seq, event) = try placed(value, name, schema, .place, entries)
      return [["insert": event, "before": number(seq)]]
    case "move":
      let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw error("--move takes SEQ=SEQ, as in --move 5=9.") }
      let seq = try self.seq(parts[0], name, .event, entries)
      let before = try self.seq(parts[1], name, .place, entries)
      guard seq != before else {
        throw error("--move \(value) moves entry \(seq) before itself, which changes nothing.")
      }
      return [["move": number(seq), "before": number(before)]]
    case "append": return [["append": try EventText(value, self).event(schema).value]]
    case "cut": return [["cut": number(try seq(value, name, .state, entries))]]
    case "start": return [["start": ["seq": number(try seq(value, name, .state, entries))]]]
    case "start-state": return [["start": try json(value, name), "literal": true]]
    case "edits":
      guard let script = try json(value, name).array else {
        throw error("--edits takes an array of edits.")
      }
      return Array(script)
    default: return []
    }
  }

  private func ranges(_ text: String, _ entries: EditableEntries?) throws -> [JSON] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      ["drop": try range(String(part), entries)]
    }
  }

  private func range(_ text: String, _ entries: EditableEntries?) throws -> JSON {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = ends.compactMap { Int64($0) }
    guard numbers.count == ends.count, numbers.first ?? 0 <= numbers.last ?? 0 else {
      throw error(
        "--drop takes entries, such as 12, 12-15, or 7,12-15, not \(Escaped.quoted(text)).")
    }
    let seqs = try ends.map { number(try seq(String($0), "drop", .event, entries)) }
    return seqs.count == 2 ? .array(seqs) : seqs[0]
  }

  private func placed(
    _ text: String, _ name: String, _ schema: EventSchema?, _ use: EditableEntries.Use,
    _ entries: EditableEntries?
  ) throws -> (Int64, JSON) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw error("--\(name) takes SEQ=EVENT, as in --\(name) '40={\"flip\":{}}'.")
    }
    let seq = try self.seq(String(parts[0]), name, use, entries)
    let event = try EventText(String(parts[1]), self).event(schema).value
    return (seq, event)
  }

  fileprivate func seq(
    _ text: String, _ name: String, _ use: EditableEntries.Use, _ entries: EditableEntries?
  ) throws -> Int64 {
    guard let seq = Int64(text), seq >= 0 else {
      throw error("--\(name) takes the number of an entry, not \(Escaped.quoted(text)).")
    }
    if let problem = entries?.problem(seq, use) { throw error("--\(name) \(seq): \(problem).") }
    return seq
  }

  private func json(_ text: String, _ name: String) throws -> JSON {
    do {
      return try JSON(parsing: text)
    } catch {
      throw self.error("--\(name): \(Escaped.quoted(text)) is not JSON: \(error)")
    }
  }
}
