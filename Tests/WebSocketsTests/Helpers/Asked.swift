import Foundation
import TestSupport
import Testing

/// Questions to a program of `Tests/Oracles`, as JSON, and its answers.
enum Asked {
  /// The answer to one question.
  static func one(_ program: String, _ question: [String: Any]) throws -> Any {
    try #require(try all(program, [question]).first)
  }

  /// The answers, in the order of the questions.
  static func all(_ program: String, _ questions: [[String: Any]]) throws -> [Any] {
    let lines = try questions.map {
      String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
    }
    return try PythonOracle.answers(of: program, to: lines).map {
      try JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
    }
  }

  /// The same as one line of text, with keys in order, for comparing.
  static func text(_ value: Any) throws -> String {
    String(
      decoding: try JSONSerialization.data(
        withJSONObject: value,
        options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]), as: UTF8.self)
  }
}
