import Foundation
import TestSupport
import Testing

/// Runs programs of `Tests/Oracles` with JSON questions.
enum Asked {
  /// The answer to one question.
  static func one(_ program: String, _ question: [String: Any]) async throws -> Any {
    try #require(try await all(program, [question]).first)
  }

  /// The answers, in the order of the questions.
  ///
  /// Runs on its own thread, so that other tests continue meanwhile.
  static func all(_ program: String, _ questions: [[String: Any]]) async throws -> [Any] {
    let lines = try questions.map {
      String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
    }
    let answers = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try PythonOracle.answers(of: program, to: lines) })
      }
    }
    return try answers.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
    }
  }

  /// The value as one line of JSON with sorted keys, for comparisons.
  static func text(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(
        withJSONObject: value,
        options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]), as: UTF8.self)
  }
}
