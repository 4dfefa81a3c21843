import JSONCore

struct ToolParameter: Sendable {
  enum Kind: Sendable {
    case text
    case number(ClosedRange<Int64>)
    case flag
    case any
    case objects
    case choice([String])
  }

  let name: String
  let kind: Kind
  /// What a model reads about it; empty where the name says it.
  let summary: String
  let isRequired: Bool

  static func required(_ name: String, _ kind: Kind = .text, _ summary: String = "") -> Self {
    ToolParameter(name: name, kind: kind, summary: summary, isRequired: true)
  }

  static func optional(_ name: String, _ kind: Kind = .text, _ summary: String = "") -> Self {
    ToolParameter(name: name, kind: kind, summary: summary, isRequired: false)
  }

  /// The recording that a tool is about.
  static let timeline = required("timeline", .text, "id, machine name, app/machine, or 'last'")

  /// How large a reply may be.
  static let bytes = optional(
    "max_bytes", .number(ReplyBudget.range), "default \(ReplyBudget.standard)")

  /// The JSON schema, as short as it can be: a client sends it to the model in each conversation.
  var schema: JSON {
    var schema = JSON.Object()
    switch kind {
    case .text: schema["type"] = "string"
    case .number: schema["type"] = "integer"
    case .flag: schema["type"] = "boolean"
    case .any: break
    case .objects:
      schema["type"] = "array"
      schema["items"] = ["type": "object"]
    case .choice(let words):
      schema["type"] = "string"
      schema["enum"] = .array(words.map { .string($0) })
    }
    if !summary.isEmpty { schema["description"] = .string(summary) }
    return .object(schema)
  }
}
