import Foundation
import JSONCore
import Testing

@testable import Timelines

/// At the top of a file, so that its name in metadata is that of a private type.
private enum Hidden: Codable {
  case shown(at: Date)
}

@Suite("Schema: types")
struct SchemaTypeTests {
  typealias Samples = SchemaSamples

  /// The cases with their payloads, as one writes them in the source.
  private func spell(_ schema: EventSchema) -> [String] {
    schema.cases.map { one in
      let fields = one.payload.map { field in
        let label = field.label.map { "\($0): " } ?? ""
        let key = field.key == (field.label ?? field.key) ? "" : "\(field.key)="
        return key + label + spell(field.shape)
      }
      let certain = one.swift == nil ? "?" : ""
      return "\(one.name)\(certain)(\(fields.joined(separator: ", ")))"
    }
  }

  private func spell(_ shape: EventSchema.Shape) -> String {
    switch shape {
    case .scalar(let kind, _): kind.rawValue
    case .array(let element, _): "[\(spell(element))]"
    case .dictionary(let element, _): "[:\(spell(element))]"
    case .optional(let element): spell(element) + "?"
    case .named(let name): String(name.split(separator: ".").last ?? "")
    }
  }

  private func fields(_ schema: EventSchema, _ name: String) -> [String]? {
    guard case .fields(let fields) = schema.types["TimelinesTests.SchemaSamples." + name]?.content
    else { return nil }
    return fields.map { "\($0.key): \(spell($0.shape))" }
  }

  @Test("finds cases in the order of the source, with labels and payloads")
  func commute() {
    let schema = EventSchema(of: Samples.Commute.self)
    #expect(schema.type == "TimelinesTests.SchemaSamples.Commute")
    #expect(schema.isComplete)
    #expect(schema.encoding == .keyed)
    #expect(
      spell(schema) == [
        "opened()", "loggedIn(bool)", "activatedTab(index: int)", "refetched(Stop, at: date)",
        "moved([Stop], to: Mode?, by: Level)", "closed()",
      ])
    #expect(schema[case: "loggedIn"]?.payload.map(\.key) == ["_0"])
    #expect(schema[case: "moved"]?.payload.map(\.key) == ["_0", "to", "by"])
    #expect(
      fields(schema, "Stop") == ["id: string", "on: bool?", "position: Position", "tags: [string]"])
    #expect(fields(schema, "Position") == ["x: double", "y: double"])
    #expect(
      schema.types["TimelinesTests.SchemaSamples.Mode"]?.content == .values(["walk", "RIDE"]))
    #expect(schema.types["TimelinesTests.SchemaSamples.Level"]?.content == .values([-1, 7]))
    #expect(schema.types.values.allSatisfy { !$0.isGuess })
  }

  @Test("the keys are those that Codable writes")
  func keysAreWritten() throws {
    let stop = Samples.Stop(id: "a", on: true, position: .init(x: 0, y: 0), tags: [])
    let events: [Samples.Commute] = [
      .opened, .loggedIn(true), .activatedTab(index: 1), .refetched(stop, at: .distantPast),
      .moved([stop], to: .walk, by: .low), .closed,
    ]
    let schema = EventSchema(of: Samples.Commute.self, samples: events)
    #expect(schema.cases.map(\.samples.count) == [1, 1, 1, 1, 1, 1])
    for one in schema.cases {
      let keys = one.samples.first?[one.name]?.object?.keys
      #expect(keys == one.payload.map(\.key), "\(one.name)")
    }
  }

  @Test("follows recursive types, also through classes")
  func recursive() {
    let schema = EventSchema(of: Samples.Recursive.self)
    #expect(spell(schema) == ["leaf(int)", "node(Recursive, [:Recursive], next: Link?)"])
    guard case .cases(let cases) = schema.types["TimelinesTests.SchemaSamples.Recursive"]?.content
    else {
      Issue.record("the type is not defined: \(schema.types.keys)")
      return
    }
    #expect(cases.map(\.name) == ["leaf", "node"])
    #expect(fields(schema, "Link") == ["value: any", "next: any"])
    #expect(schema.types["TimelinesTests.SchemaSamples.Link"]?.isGuess == true)
  }

  @Test("resolves generic payloads")
  func generic() {
    #expect(
      spell(EventSchema(of: Samples.Generic<Int>.self))
        == ["none()", "one(int)", "many([int], named: int?)"])
    #expect(spell(EventSchema(of: Samples.Generic<Samples.Position>.self))[1] == "one(Position)")
    #expect(spell(EventSchema(of: Samples.Outer<[String]>.Inner.self)) == ["value([string])"])
  }

  @Test("knows enums of one case, of no payload, and of none")
  func small() {
    #expect(spell(EventSchema(of: Samples.Single.self)) == ["only(text: string)"])
    #expect(spell(EventSchema(of: Samples.Lonely.self)) == ["lonely()"])
    #expect(spell(EventSchema(of: Hidden.self)) == ["shown(at: date)"])
    let never = EventSchema(of: Never.self)
    #expect(never.cases.isEmpty)
  }

  @Test("gives the keys that a type renames, beside the names in the source")
  func renamed() {
    let schema = EventSchema(of: Samples.Renamed.self)
    #expect(spell(schema) == ["1st(v=value: int)", "second(int)"])
    #expect(schema.cases.map(\.swift) == ["first", "second"])
  }

  @Test("an enum of strings is written as strings")
  func strings() {
    let schema = EventSchema(of: Samples.Mode.self)
    #expect(schema.encoding == .raw)
    #expect(schema.cases.map(\.name) == ["walk", "RIDE"])
    #expect(schema.cases.map(\.swift) == ["walk", "ride"])
  }

  @Test("lists cases whose payloads cannot be written")
  func uncodable() {
    let schema = EventSchema(of: Samples.Uncodable.self)
    #expect(
      Set(schema.cases.map(\.name)) == ["plain", "closure", "existential", "metatype", "nested"])
    #expect(spell(schema).contains("existential(any, named: any)"))
    #expect(spell(schema).contains("nested(any, label: any)"))
  }

  @Test("runs no code of a type beyond its first request, and says what is a guess")
  func unusual() {
    let schema = EventSchema(of: Samples.Unusual.self)
    #expect(
      spell(schema) == [
        "picky(string)", "custom(Custom)", "wrapping(Wrapping)",
        "values(url: url, uuid: uuid, data: data, big: int, money: double)",
        "maps([:int], [any], [any])", "deep(int?, [[int?]])",
      ])
    #expect(fields(schema, "Custom") == ["count: int"])
    #expect(schema.types["TimelinesTests.SchemaSamples.Custom"]?.isGuess == true)
    #expect(fields(schema, "Wrapping") == ["volume: int", "all: [string]"])
    #expect(schema.types["TimelinesTests.SchemaSamples.Wrapping"]?.isGuess == false)
  }

  @Test(
    "has no cases for a type that is not an enum",
    arguments: [
      Samples.Stop.self, Samples.Link.self, Int.self, String.self, Int?.self, [Int].self,
      (Int, String).self, (() -> Void).self, (any Error).self, Any.self, Int.Type.self,
      AnyObject.self, Samples.Typed.self, JSONEncoder.self,
    ] as [Any.Type])
  func noEnum(type: Any.Type) {
    let schema = EventSchema(of: type)
    #expect(schema.cases.isEmpty)
    #expect(!schema.isComplete)
    #expect(schema.encoding == .custom)
  }

  @Test("looks into enums of the standard library and Foundation without trapping")
  func foreign() {
    for type in [
      FloatingPointSign.self, Result<Int, any Error>.self, JSONEncoder.DateEncodingStrategy.self,
      DecodingError.self, ComparisonResult.self, Calendar.Component.self, UInt8?.self,
      Unicode.GeneralCategory.self, FileManager.SearchPathDirectory.self,
    ] as [Any.Type] {
      _ = EventSchema(of: type).json
    }
    #expect(
      Set(EventSchema(of: Result<Int, any Error>.self).cases.map(\.name)) == ["success", "failure"])
  }

  @Test("names of types are the same in every process and on every platform")
  func names() {
    let schema = EventSchema(of: Hidden.self)
    #expect(schema.type == "TimelinesTests.Hidden")
    #expect(
      schema[case: "shown"]?.payload.map(\.shape) == [.scalar(.date, type: "Foundation.Date")])
  }
}
