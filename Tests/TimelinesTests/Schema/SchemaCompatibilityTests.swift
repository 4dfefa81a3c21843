import JSONCore
import Testing

@testable import Timelines

@Suite("Schema: compatibility")
struct SchemaCompatibilityTests {
  struct Stop1: Codable { var id: String }
  struct Stop2: Codable {
    var id: String
    var on: Bool?
  }
  struct Stop3: Codable {
    var id: String
    var on: Bool
  }
  enum Mode1: String, Codable { case walk, ride }
  enum Mode2: String, Codable { case walk }

  enum Base: Codable { case opened, tapped(Stop1), moved(Int, to: String?), mode(Mode1) }
  enum More: Codable { case opened, tapped(Stop1), moved(Int, to: String?), mode(Mode1), new }
  enum Gone: Codable { case tapped(Stop1), moved(Int, to: String?), mode(Mode1) }
  enum OptionalField: Codable { case opened, tapped(Stop2), moved(Int, to: String?), mode(Mode1) }
  enum RequiredField: Codable { case opened, tapped(Stop3), moved(Int, to: String?), mode(Mode1) }
  enum LostField: Codable { case opened, tapped(Stop1), moved(Int), mode(Mode1) }
  enum Relabelled: Codable { case opened, tapped(Stop1), moved(by: Int, to: String?), mode(Mode1) }
  enum Retyped: Codable { case opened, tapped(Stop1), moved(String, to: String?), mode(Mode1) }
  enum Widened: Codable { case opened, tapped(Stop1), moved(Double, to: String?), mode(Mode1) }
  enum Demanding: Codable { case opened, tapped(Stop1), moved(Int, to: String), mode(Mode1) }
  enum LostValue: Codable { case opened, tapped(Stop1), moved(Int, to: String?), mode(Mode2) }
  enum Listed: Codable { case opened, tapped([Stop1]), moved(Int, to: String?), mode(Mode1) }
  enum AsString: String, Codable { case opened, tapped, moved, mode }

  struct Example: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var current: EventSchema
    var grade: Compatibility.Grade
    /// A piece of each reason.
    var reasons: [String]

    init(_ type: Any.Type, _ grade: Compatibility.Grade, _ reasons: [String]) {
      testDescription = "\(type)"
      current = EventSchema(of: type)
      self.grade = grade
      self.reasons = reasons
    }
  }

  @Test(
    "grades with reasons that name case and field",
    arguments: [
      Example(Base.self, .fine, []),
      Example(More.self, .fine, []),
      Example(Gone.self, .impossible, ["The case “opened” is gone"]),
      Example(OptionalField.self, .risky, ["“on” of "]),
      Example(RequiredField.self, .impossible, ["“on” of "]),
      Example(LostField.self, .risky, ["“to” of “moved” is gone"]),
      Example(
        Relabelled.self, .impossible, ["“_0” of “moved” is gone", "“by” of “moved” is new"]),
      Example(
        Retyped.self, .impossible, ["“_0” of “moved” was Swift.Int and is Swift.String"]),
      Example(Widened.self, .risky, ["“_0” of “moved” was Swift.Int and is Swift.Double"]),
      Example(Demanding.self, .risky, ["“to” of “moved” was optional"]),
      Example(LostValue.self, .impossible, ["The value \"ride\" of "]),
      Example(Listed.self, .impossible, ["“_0” of “tapped” was "]),
      Example(
        AsString.self, .impossible, ["written in another way", "“_0”", "“_0”", "“to”", "“_0”"]),
    ])
  func grades(example: Example) {
    let recorded = EventSchema(of: Base.self)
    let result = EventSchema.compare(recorded: recorded, current: example.current)
    #expect(result.grade == example.grade)
    #expect(result.findings.count == example.reasons.count, "\(result.findings)")
    for (finding, reason) in zip(result.findings, example.reasons) {
      #expect(finding.text.contains(reason))
    }
    #expect(result.findings.allSatisfy { $0.text.hasSuffix(".") })
  }

  @Test("what was learnt is never called impossible to read for lack of knowledge")
  func learnt() {
    var recorded = EventSchema()
    recorded.learn(from: ["tapped": ["_0": ["id": "a"]]])
    recorded.learn(from: ["moved": ["_0": 1]])
    let current = EventSchema(of: Base.self)
    let forward = EventSchema.compare(recorded: recorded, current: current)
    #expect(forward.grade == .risky, "\(forward.findings)")
    let back = EventSchema.compare(recorded: current, current: recorded)
    #expect(back.grade == .risky, "\(back.findings)")
  }

  @Test("compares recursive types")
  func recursive() {
    let schema = EventSchema(of: SchemaSamples.Recursive.self)
    let result = EventSchema.compare(recorded: schema, current: schema)
    #expect(result.findings.allSatisfy { $0.grade != .impossible })
  }
}
