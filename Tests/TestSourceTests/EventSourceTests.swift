import JSONCore
import TestSource
import Testing
import Timelines

@Suite("Events as source")
struct EventSourceTests {
  private static func scalar(_ kind: EventSchema.Shape.Kind, _ type: String) -> EventSchema.Shape {
    .scalar(kind, type: type)
  }

  private static let string = scalar(.string, "Swift.String")

  private static let schema = EventSchema(
    type: "App.Event", encoding: .keyed, isComplete: true,
    cases: [
      .init(name: "opened", swift: "opened"),
      .init(name: "named", swift: "named", payload: [.init(key: "_0", shape: string)]),
      .init(
        name: "moved", swift: "moved",
        payload: [
          .init(key: "to", label: "to", shape: scalar(.int, "Swift.Int8")),
          .init(key: "by", label: "in", shape: scalar(.double, "Swift.Double")),
        ]),
      .init(
        name: "chose", swift: "chose",
        payload: [.init(key: "_0", shape: .optional(.named("App.Way")))]),
      .init(
        name: "added", swift: "added", payload: [.init(key: "_0", shape: .named("App.Item"))]),
      .init(
        name: "all", swift: "all",
        payload: [
          .init(key: "_0", shape: .array(of: string, type: "Swift.Array<Swift.String>")),
          .init(
            key: "_1",
            shape: .dictionary(
              of: scalar(.bool, "Swift.Bool"), type: "Swift.Dictionary<Swift.String, Swift.Bool>")),
        ]),
      .init(
        name: "dated", swift: "dated",
        payload: [.init(key: "on", label: "on", shape: scalar(.date, "Foundation.Date"))]),
      .init(name: "init", swift: "init"),
      .init(name: "guessed", payload: [.init(key: "_0", shape: string)]),
      .init(name: "evil", swift: "x(exit(1))"),
      .init(name: "blank", swift: "_"),
      .init(name: "switch", swift: "switch"),
      .init(
        name: "unlabelled", swift: "unlabelled",
        payload: [.init(key: "_", label: "_", shape: string)]),
      .init(
        name: "small", swift: "small",
        payload: [.init(key: "_0", shape: scalar(.double, "Swift.Float"))]),
    ],
    types: [
      "App.Way": .init(
        .cases([
          .init(name: "none", swift: "none"),
          .init(
            name: "by", swift: "by", payload: [.init(key: "line", label: "line", shape: string)]),
        ])),
      "App.Item": .init(.fields([.init(key: "id", label: "id", shape: scalar(.int, "Swift.Int"))])),
    ])

  @Test(
    "are cases where the schema is certain, and JSON where it is not",
    arguments: [
      (#"{"opened":{}}"#, ".opened"),
      (#"{"named":{"_0":"a\"b"}}"#, #".named("a\"b")"#),
      (#"{"moved":{"to":-5,"by":0.5}}"#, ".moved(to: -5, in: 0.5)"),
      (#"{"moved":{"to":-5,"by":"inf"}}"#, ".moved(to: -5, in: .infinity)"),
      // An integer literal would lose the sign.
      (#"{"moved":{"to":0,"by":-0}}"#, ".moved(to: 0, in: -0.0)"),
      (#"{"moved":{"to":-0,"by":0}}"#, ##".moved(to: .init(recorded: .json(#"-0"#)), in: 0)"##),
      // It does not fit into eight bits, so it contradicts the schema.
      (#"{"moved":{"to":500,"by":1}}"#, ".moved(to: .init(recorded: 500), in: 1)"),
      (#"{"chose":{}}"#, ".chose(nil)"),
      (#"{"chose":{"_0":{"by":{"line":"M41"}}}}"#, #".chose(.by(line: "M41"))"#),
      // Optional has a case of this name, too.
      (#"{"chose":{"_0":{"none":{}}}}"#, #".chose(.init(recorded: ["none": [:]]))"#),
      (#"{"added":{"_0":{"id":7}}}"#, #".added(.init(recorded: ["id": 7]))"#),
      (#"{"all":{"_0":["a","b"],"_1":{"x":true}}}"#, #".all(["a", "b"], ["x": true])"#),
      (#"{"all":{"_0":[],"_1":{}}}"#, ".all([], [:])"),
      // Two keys in JSON, but one in Swift, where the literal would trap.
      (
        #"{"all":{"_0":[],"_1":{"\u00e9":true,"e\u0301":true}}}"#,
        #".all([], .init(recorded: ["\u{e9}": true, "e\u{301}": true]))"#
      ),
      (#"{"dated":{"on":1.5}}"#, ".dated(on: .init(recorded: 1.5))"),
      (#"{"init":{}}"#, ".`init`"),
      (#"{"guessed":{"_0":"x"}}"#, #"recorded: ["guessed": ["_0": "x"]]"#),
      (#"{"evil":{}}"#, #"recorded: ["evil": [:]]"#),
      (#"{"blank":{}}"#, #"recorded: ["blank": [:]]"#),
      (#"{"switch":{}}"#, ".switch"),
      (#"{"unlabelled":{"_":"x"}}"#, #"recorded: ["unlabelled": ["_": "x"]]"#),
      (#"{"small":{"_0":0.5}}"#, ".small(0.5)"),
      // It is finite as a Double.
      (#"{"small":{"_0":1e39}}"#, ".small(.init(recorded: 1e+39))"),
      (#"{"unknown":{}}"#, #"recorded: ["unknown": [:]]"#),
      (#"{"opened":{"more":1}}"#, #"recorded: ["opened": ["more": 1]]"#),
      (#"{"named":{}}"#, #"recorded: ["named": [:]]"#),
      (#""opened""#, #"recorded: "opened""#),
      (#"[18446744073709551615]"#, ##"recorded: .json(#"[18446744073709551615]"#)"##),
    ])
  func events(event: String, source: String) throws {
    let timeline = try Recorded.timeline(
      schema: Self.schema,
      [
        #"{"seq":0,"t":0,"state":1}"#, #"{"seq":1,"t":0,"event":\#(event),"patch":[]}"#,
      ])
    let text = Recorded.source(try TestExport(as: .swiftTesting).files(of: timeline))
    #expect(text.contains("try coin.send(\(source))"))
  }

  @Test("a plain string event is written as a string")
  func plainString() throws {
    let schema = EventSchema(type: "Swift.String", encoding: .custom)
    let timeline = try Recorded.timeline(
      schema: schema,
      [
        #"{"seq":0,"t":0,"state":1}"#, #"{"seq":1,"t":0,"event":"_a\"\u2028","patch":[]}"#,
        #"{"seq":2,"t":0,"event":{"no":"string"},"patch":[]}"#,
      ])
    let text = Recorded.source(try TestExport(as: .swiftTesting).files(of: timeline))
    #expect(text.contains(#"try coin.send("_a\"\u{2028}")"#))
    #expect(text.contains(#"try coin.send(recorded: ["no": "string"])"#))
  }
}
