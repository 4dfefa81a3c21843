import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

/// One call of a tool: its arguments, and the daemon to ask.
struct ToolCall: Sendable {
  let tool: AgentTool
  let arguments: JSON.Object
  /// The queries that commands use, too.
  let inquiry: Inquiry
  /// Branches that the agent did not ask to keep.
  let scratch: ScratchBranches
  let exports: LastExport
  /// Where the daemon is, for work with a connection of its own.
  let connect: @Sendable () async throws -> any Backend
  let clock: any Clock<Duration>

  var backend: any Backend { inquiry.asking }

  /// Checks that the arguments are those that the tool declares.
  func validate() throws(ToolError) {
    let names = tool.parameters.map(\.name)
    for (name, value) in arguments {
      guard let parameter = tool.parameters.first(where: { $0.name == name }) else {
        let near = Suggestion.nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
        let shown = Escaped.quoted(name.cut(toScalars: 80))
        throw ToolError("\(tool.name) has no parameter \(shown).\(near)")
      }
      guard parameter.accepts(value) else {
        throw ToolError("\(name) must be \(parameter.kind.words).")
      }
    }
    for parameter in tool.parameters where parameter.isRequired {
      guard arguments[parameter.name] != nil else {
        throw ToolError("\(tool.name) needs '\(parameter.name)'.")
      }
    }
  }

  func text(_ name: String) -> String? { arguments[name]?.string }

  func number(_ name: String) -> Int64? { arguments[name]?.int }

  func flag(_ name: String) -> Bool { arguments[name] == true }

  /// How large the reply may be.
  var budget: ReplyBudget { ReplyBudget(number("max_bytes") ?? ReplyBudget.standard) }

  /// The timeline that the argument names.
  func timeline(_ name: String = "timeline") async throws -> TimelineID {
    try await inquiry.timeline(named: text(name) ?? "")
  }

  /// The entry that an argument names; the last one without it.
  func seq(_ name: String, of timeline: TimelineID) async throws -> Int64 {
    try await inquiry.seq(number(name).map { "\($0)" } ?? "last", of: timeline)
  }

  /// The predicate that an argument is.
  func predicate(_ name: String, of timeline: TimelineID) async throws -> Predicates.Predicate {
    try await inquiry.predicate(text(name) ?? "", of: timeline)
  }
}

/// Why a tool has no answer, in a sentence for the model.
struct ToolError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// The connection ended before the answer to a call that changes something.
  static let interrupted = ToolError(
    "The connection to the daemon ended during the call, so it may have been done. Look with "
      + "'timelines' before you call it again.")
}

extension ToolParameter {
  fileprivate func accepts(_ value: JSON) -> Bool {
    switch kind {
    case .text: value.string != nil
    case .number(let range): value.int.map(range.contains) ?? false
    case .flag: value == true || value == false
    case .any: true
    case .objects: value.array?.allSatisfy { $0.object != nil } ?? false
    case .choice(let words): value.string.map(words.contains) ?? false
    }
  }
}

extension ToolParameter.Kind {
  fileprivate var words: String {
    switch self {
    case .text: "a string"
    case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .flag: "true or false"
    case .any: "JSON"
    case .objects: "an array of objects"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    }
  }
}
