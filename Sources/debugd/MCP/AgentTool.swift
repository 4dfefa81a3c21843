import JSONCore

/// A tool for coding agents: what a model reads about it, and what it does.
struct AgentTool: Sendable {
  /// What has to exist for a tool to work. A tool that cannot work now is not offered.
  enum Need: Sendable {
    case nothing
    /// A host that can run reducers.
    case host
    /// The user's consent to drive live machines.
    case control
    /// The user's consent to start executables.
    case hosts
  }

  let name: String
  /// What it returns, in a sentence or two.
  let summary: String
  var parameters: [ToolParameter] = []
  var need = Need.nothing
  /// Whether it changes anything: hosts ask the user before they run such a tool.
  var isReadOnly = true
  /// A call that takes longer is canceled.
  var allowance = TimeAllowance.short
  let run: @Sendable (ToolCall) async throws -> JSON

  /// Whether a caller can ask for a longer reply.
  var hasSizeOption: Bool { parameters.contains { $0.name == ToolParameter.bytes.name } }

  /// The tool as `tools/list` describes it.
  var description: JSON {
    var properties = JSON.Object()
    for parameter in parameters { properties[parameter.name] = parameter.schema }
    let required = parameters.filter(\.isRequired).map { JSON.string($0.name) }
    var schema: JSON.Object = ["type": "object", "properties": .object(properties)]
    if !required.isEmpty { schema["required"] = .array(required) }
    return [
      "name": .string(name), "description": .string(summary), "inputSchema": .object(schema),
      "annotations": ["readOnlyHint": .bool(isReadOnly)],
    ]
  }

  /// All tools. To add one, write a file in `Tools`, and name it here.
  static let all: [AgentTool] = [
    .timelines, .scene, .entries, .find, .state, .whoSet, .explain, .diff, .fork, .minimize,
    .explore, .verify, .exportTest, .dispatch, .addHost,
  ]
}
