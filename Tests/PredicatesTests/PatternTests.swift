import Foundation
import TestSupport
import Testing

@testable import Predicates
@testable import Timelines

@Suite("Patterns")
struct PatternTests {
  /// The steps of a match, and whether there is one.
  private func steps(_ pattern: String, _ text: String) throws -> (Int, Bool) {
    var matcher = PatternMatcher(try Pattern(pattern).program)
    let isMatch = matcher.matches(text)
    return (matcher.steps, isMatch)
  }

  @Test(
    "take time linear to the text",
    arguments: [
      "(a+)+b", "(a|a)*b", "(a|aa)*$x", "(a*)*c", "a{1,30}a{1,30}a{1,30}b", "(.*)(.*)(.*)x",
      "((a?){30}){30}b", "^(\\w+\\s?)*$!",
    ])
  func linear(pattern: String) throws {
    let program = try Pattern(pattern).program
    let (short, _) = try steps(pattern, String(repeating: "a", count: 500))
    let (long, isMatch) = try steps(pattern, String(repeating: "a", count: 1_000))
    #expect(!isMatch)
    #expect(long <= 1_001 * program.instructions.count)
    #expect(long <= 2 * short + 100 * program.instructions.count)
  }

  @Test("never take more instructions than allowed, whatever is repeated")
  func size() throws {
    for pattern in ["((((){1000}){1000}){1000}){1000}", "(a{40}){49}", "(|){1000}", "((a|){9}){9}"]
    {
      if let program = try? Pattern(pattern).program {
        #expect(program.instructions.count <= Pattern.maxInstructions, "\(pattern)")
      }
    }
    #expect(throws: PatternError.self) { try Pattern("(a{1000}){1000}") }
    #expect(throws: PatternError.self) { try Pattern(String(repeating: "(", count: 65)) }
  }

  @Test("agree with Python's re on random patterns and texts")
  func oracle() throws {
    var generator = SeededGenerator(seed: 41)
    var cases: [(pattern: String, text: String)] = []
    while cases.count < 1_200 {
      let pattern = Self.randomPattern(depth: 3, using: &generator)
      guard pattern.utf8.count < 200, (try? Pattern(pattern)) != nil else { continue }
      let text = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        ["a", "b", "c", "_", "1", " ", "-", "\n"].randomElement(using: &generator) ?? ""
      }
      cases.append((pattern, text.joined()))
    }
    let answers = try Self.python(cases)
    #expect(answers.count == cases.count)
    var matches = 0
    for ((pattern, text), answer) in zip(cases, answers) {
      #expect(
        try Pattern(pattern).matches(text) == answer,
        "seed 41: \(pattern.debugDescription) on \(text.debugDescription)")
      if answer { matches += 1 }
    }
    #expect((200...1_000).contains(matches), "the cases say something")
  }

  private static func randomPattern(depth: Int, using generator: inout SeededGenerator) -> String {
    let atoms = [
      "a", "b", "c", "_", "1", ".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "[ab]", "[^ab]",
      "[a-c1]", "[^\\d]", "[\\w-]", "\\n", "\\-",
    ]
    switch Int.random(in: 0..<(depth > 0 ? 9 : 3), using: &generator) {
    case 0...2: return atoms.randomElement(using: &generator) ?? "a"
    case 3...5:
      return (0..<Int.random(in: 1...3, using: &generator))
        .map { _ in randomPattern(depth: depth - 1, using: &generator) }.joined()
    case 6:
      let first = randomPattern(depth: depth - 1, using: &generator)
      let second = randomPattern(depth: depth - 1, using: &generator)
      return "(\(first)|\(second))"
    case 7:
      let inner = randomPattern(depth: depth - 1, using: &generator)
      let counts = ["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "{0}"]
      return "(?:\(inner))" + (counts.randomElement(using: &generator) ?? "*")
    default:
      // Python's `$` also fits before a line feed at the end; `\Z` is what is meant here.
      let inner = randomPattern(depth: depth - 1, using: &generator)
      return (["^", "\\b", "\\B"].randomElement(using: &generator) ?? "") + inner
        + (["$", "\\b", ""].randomElement(using: &generator) ?? "")
    }
  }

  private static func python(_ cases: [(pattern: String, text: String)]) throws -> [Bool] {
    let script = """
      import json, re, sys
      def has(p, t):
          p = "".join("\\\\Z" if x == "$" else x for x in re.findall(r"\\\\.|.", p, re.S))
          if t == "" and "\\\\B" in p: return None
          return re.search(p, t, re.A) is not None
      print(json.dumps([has(p, t) for p, t in json.load(sys.stdin)]))
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let python = ProcessInfo.processInfo.environment["TEST_PYTHON"] ?? "python3"
    process.arguments = [python, "-c", script]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let request = try JSONSerialization.data(withJSONObject: cases.map { [$0.pattern, $0.text] })
    Thread.detachNewThread {
      try? input.fileHandleForWriting.write(contentsOf: request)
      try? input.fileHandleForWriting.close()
    }
    let reply = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let answers = try JSONSerialization.jsonObject(with: reply) as? [Any] ?? []
    // Older Pythons say that `\B` does not fit an empty text; there our own answer stands.
    return try zip(answers, cases).map { answer, item in
      try (answer as? Bool) ?? Pattern(item.pattern).matches(item.text)
    }
  }
}
