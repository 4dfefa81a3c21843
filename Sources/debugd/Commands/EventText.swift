import Foundation
import JSONCore
import Timelines
import Wire

/// An event as it stands on the command line: JSON, or a word.
struct EventText {
  private enum Content {
    case word(String)
    case json(JSONSlice)
  }

  private let content: Content

  /// Takes JSON as it is; a word alone, which would be no JSON, is the name of a case.
  init(_ text: String, _ arguments: ParsedArguments) throws {
    let isWord =
      text.first.map { $0.isLetter || $0 == "_" } == true
      && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      && !["true", "false", "null"].contains(text)
    if isWord {
      content = .word(text)
      return
    }
    do {
      content = .json(try JSONSlice(validating: Array(text.utf8)))
    } catch {
      throw arguments.error(
        """
        EVENT is JSON, such as '{"deposit":{"amount":5}}', or the name of a case without payload: \
        \(error)
        """)
    }
  }

  /// The event as the machine's type is written, by the schema that was recorded with it.
  ///
  /// A name that the type does not have is refused before anything is held; without a schema, or
  /// with one that was learnt from events, what is not known may be there all the same.
  func event(_ schema: EventSchema?) throws -> JSONSlice {
    switch content {
    case .json(let event):
      if event.kind == .object, schema?.encoding == .keyed, let name = event.members.first?.key {
        try check(name, schema)
      } else if schema?.encoding == .keyed, let name = event.string, schema?[case: name] != nil {
        // The name of a case in quotes of JSON; the type's own form is an object.
        return try self.event(case: name, schema)
      } else if schema?.encoding == .raw, let name = event.string {
        try check(name, schema)
      }
      return event
    case .word(let word):
      try check(word, schema)
      return try self.event(case: word, schema)
    }
  }

  private func event(case name: String, _ schema: EventSchema?) throws -> JSONSlice {
    if let payload = schema?[case: name]?.payload, !payload.isEmpty {
      let keys = payload.map { "\"\($0.key)\":…" }.joined(separator: ",")
      throw CommandError(
        Escaped.text("'\(name)' has a payload. Write it as '{\"\(name)\":{\(keys)}}'."))
    }
    if let sample = Self.sample(of: name, in: schema) { return sample }
    let word = JSON.string(name)
    var object = JSON.Object()
    object[name] = [:]
    let event = schema?.encoding == .raw ? word : .object(object)
    return try JSONSlice(validating: event.encoded())
  }

  /// How a case without payload is written, where the type's own code decides that: as its sample. In
  /// the other encodings the case's name says it.
  private static func sample(of word: String, in schema: EventSchema?) -> JSONSlice? {
    guard let schema, schema.encoding == .custom else { return nil }
    return schema[case: word]?.samples.first.flatMap { try? JSONSlice(validating: $0.encoded()) }
  }

  private func check(_ name: String, _ schema: EventSchema?) throws {
    try Self.expect(name, in: schema)
  }

  /// Fails if a machine, all of whose events are known, does not have one of that name.
  static func expect(_ name: String, in schema: EventSchema?) throws {
    guard let schema, schema.isComplete, !schema.cases.isEmpty, schema[case: name] == nil else {
      return
    }
    throw CommandError(unknownEvent(name, schema))
  }

  /// What to tell the user about an event that the machine does not have.
  static func unknownEvent(_ name: String, _ schema: EventSchema) -> String {
    let names = schema.cases.map(\.name)
    let near = Suggestion.sentence(for: name, among: names)
    let all = near.isEmpty ? " It has \(list(names))." : near
    return "The machine has no event \(Escaped.quoted(name)).\(all)"
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(12).map { Escaped.text($0) }.joined(separator: ", ")
    return names.count > 12 ? "\(shown), and \(names.count - 12) more" : shown
  }
}

extension Inquiry {
  /// The schema that was recorded with a timeline.
  func schema(of timeline: TimelineID) async throws -> EventSchema? {
    try await summary(of: timeline).header["schema"].flatMap { EventSchema(json: $0.value) }
  }
}
