import Timelines

/// Finds whom to ask.
enum Answerer {
  static func open(_ arguments: ParsedArguments) async throws -> any Asking {
    throw Refusal(code: .failed, description: "none")
  }
}
