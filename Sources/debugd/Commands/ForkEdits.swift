import DebugServer
import JSONCore
import Timelines

extension Inquiry {
  /// The edit script that the options of `fork` make, in their order.
  func edits(of timeline: TimelineID) async throws -> JSONSlice {
    var edits: [JSON] = []
    let schema = try await schema(of: timeline)
    for (name, value) in arguments.order {
      switch name {
      case "repeat":
        let seq = try arguments.seq(value, name)
        let event = try await event(of: seq, in: timeline).value
        edits.append(["insert": event, "before": number(seq + 1)])
      case "redispatch":
        let seq = try arguments.seq(value, name)
        edits.append(["append": try await event(of: seq, in: timeline).value])
      default: edits += try arguments.edits(name, value, schema)
      }
    }
    guard arguments.has("again") || !edits.isEmpty else {
      throw arguments.error("A branch needs an edit, such as --drop SEQ or --cut SEQ.")
    }
    return try JSONSlice(validating: JSON.array(edits).encoded())
  }

  /// The event that an entry recorded.
  func event(of seq: Int64, in timeline: TimelineID) async throws -> JSONSlice {
    let request = FromInspector.Raw {
      $0.timeline = timeline
      $0.seq = seq
    }
    let entry = try await asking.ask(.raw(request)) {
      if case .raw(let answer) = $0 { answer.entry } else { nil }
    }
    guard let event = entry["event"] else { throw Refusal("Entry \(seq) has no event.") }
    return event
  }
}

/// A seq as JSON.
private func number(_ seq: Int64) -> JSON { .number(JSON.Number(seq)) }

extension ParsedArguments {
  /// The edits that an option stands for; none when it stands for something else.
  fileprivate func edits(
    _ name: String, _ value: String, _ schema: EventSchema?
  ) throws -> [JSON] {
    switch name {
    case "drop": return [["drop": try range(value)]]
    case "replace":
      let (seq, event) = try placed(value, name, schema)
      return [["replace": number(seq), "event": event]]
    case "insert":
      let (seq, event) = try placed(value, name, schema)
      return [["insert": event, "before": number(seq)]]
    case "move":
      let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw error("--move takes SEQ=SEQ, as in --move 5=9.") }
      let (seq, before) = (try seq(parts[0], name), try seq(parts[1], name))
      return [["move": number(seq), "before": number(before)]]
    case "append": return [["append": try EventText(value, self).event(schema).value]]
    case "cut": return [["cut": number(try seq(value, name))]]
    case "start": return [["start": ["seq": number(try seq(value, name))]]]
    case "start-state": return [["start": try json(value, name), "literal": true]]
    case "edits":
      guard let script = try json(value, name).array else {
        throw error("--edits takes an array of edits.")
      }
      return Array(script)
    default: return []
    }
  }

  private func range(_ text: String) throws -> JSON {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let seqs = try ends.map { number(try seq(String($0), "drop")) }
    return seqs.count == 2 ? .array(seqs) : seqs[0]
  }

  private func placed(
    _ text: String, _ name: String, _ schema: EventSchema?
  ) throws -> (Int64, JSON) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw error("--\(name) takes SEQ=EVENT, as in --\(name) '40={\"flip\":{}}'.")
    }
    let event = try EventText(String(parts[1]), self).event(schema).value
    return (try seq(String(parts[0]), name), event)
  }

  fileprivate func seq(_ text: String, _ name: String) throws -> Int64 {
    guard let seq = Int64(text), seq >= 0 else {
      throw error("--\(name): \(Escaped.quoted(text)) is no entry's number.")
    }
    return seq
  }

  private func json(_ text: String, _ name: String) throws -> JSON {
    do {
      return try JSON(parsing: text)
    } catch {
      throw self.error("--\(name): \(Escaped.quoted(text)) is no JSON: \(error)")
    }
  }
}
