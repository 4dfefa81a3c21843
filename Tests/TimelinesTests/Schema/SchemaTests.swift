import JSONCore
import Testing

@testable import Timelines

@Suite("Schema")
struct SchemaTests {
  @Test(
    "reads its own JSON",
    arguments: [
      SchemaSamples.Commute.self, SchemaSamples.Recursive.self, SchemaSamples.Renamed.self,
      SchemaSamples.Unusual.self, SchemaSamples.Mode.self, SchemaSamples.Typed.self,
    ] as [Any.Type])
  func json(type: Any.Type) throws {
    var schema = EventSchema(of: type)
    schema.learn(from: ["learnt": ["a": 1, "b": [nil, "x"]]])
    let text = schema.json.encoded()
    let read = try #require(EventSchema(json: JSON(parsing: text)))
    #expect(read == schema)
    #expect(read.fingerprint == schema.fingerprint)
    #expect(schema.json["fingerprint"]?.string == schema.fingerprint)
  }

  @Test("is invalid without cases, and ignores unknown members")
  func foreign() throws {
    #expect(EventSchema(json: ["type": "A"]) == nil)
    #expect(EventSchema(json: 1) == nil)
    let schema = try #require(
      EventSchema(json: [
        "cases": [
          1, ["name": "a", "payload": [["key": "x", "kind": "quaternion"], 7], "new": true],
        ], "types": ["T": ["kind": "union"]],
      ]))
    #expect(schema.cases.map(\.name) == ["a"])
    #expect(schema.cases.first?.payload.map(\.shape) == [.unknown])
  }

  @Test("has a fingerprint of its types, whatever the samples")
  func fingerprint() {
    let plain = EventSchema(of: SchemaSamples.Commute.self)
    let sampled = EventSchema(of: SchemaSamples.Commute.self, samples: [.opened])
    #expect(sampled != plain)
    #expect(sampled.fingerprint == plain.fingerprint)
    #expect(plain.fingerprint.utf8.count == 16)
    #expect(plain.fingerprint != EventSchema(of: SchemaSamples.Single.self).fingerprint)
  }

  @Test("learns cases and payloads from events")
  func learns() throws {
    var schema = EventSchema()
    schema.learn(from: ["moved": ["x": 1, "to": "a", "list": []]])
    schema.learn(from: try JSON(parsing: #"{"moved":{"x":1.5,"list":["b"],"extra":null}}"#))
    schema.learn(from: "opened")
    schema.learn(from: ["type": "typed", "value": true])
    schema.learn(from: ["a": 1, "b": 2])
    schema.learn(from: 7)
    #expect(schema.cases.map(\.name) == ["moved", "opened", "typed"])
    #expect(!schema.isComplete)
    let moved = schema[case: "moved"]?.payload ?? []
    #expect(moved.map(\.key) == ["x", "to", "list", "extra"])
    #expect(
      moved.map(\.shape) == [
        .scalar(.double, type: nil), .optional(.scalar(.string, type: nil)),
        .array(of: .scalar(.string, type: nil), type: nil), .optional(.unknown),
      ])
    #expect(schema[case: "typed"]?.payload.map(\.key) == ["value"])
  }

  @Test("keeps few and short samples, and each once")
  func samples() {
    var schema = EventSchema(of: SchemaSamples.Commute.self)
    let payload = schema[case: "activatedTab"]?.payload
    for index in 0..<10 {
      schema.learn(from: ["activatedTab": ["index": .number(JSON.Number(Int64(index / 2)))]])
    }
    schema.learn(from: ["loggedIn": ["_0": .string(String(repeating: "x", count: 2000))]])
    #expect(schema[case: "activatedTab"]?.samples.count == 3)
    #expect(schema[case: "activatedTab"]?.payload == payload)
    #expect(schema[case: "loggedIn"]?.samples == [])
    var names = EventSchema()
    for index in 0..<1000 { names.learn(from: .string("event \(index)")) }
    #expect(names.cases.count == 256)
  }
}
