import JSONCore
import TestSource
import Testing
import Timelines

@Suite("Exported tests")
struct TestExportTests {
  @Test("look like tests that a person wrote, for each library")
  func goldens() throws {
    let timeline = try Recorded.coin()
    var export = TestExport(as: .swiftTesting)
    export.name = "flipping twice"
    let body = """
      try coin.send(.flipped).toChange(outputs: ["side": "Tails"])
          try coin.send(.laid).toChangeNoOutputs()
      """
    let files = try export.files(of: timeline)
    #expect(files.map(\.name) == ["FlippingTwiceTests.swift"])
    #expect(
      Recorded.source(files) == """
        // Timeline 0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a, entries 0 to 2,
        // recorded 2026-01-01T00:00:00Z.

        import StatesTesting
        import Testing

        @testable import App

        @Suite("coin: flipping twice")
        struct FlippingTwiceTests {
          @Test("flipping twice")
          func flippingTwice() throws {
            let coin = try ReplayedMachine(reducible: CoinState.self, from: ["isHeads": true])
            \(body)
          }
        }

        """)
    export.kind = .xctest
    #expect(
      Recorded.source(try export.files(of: timeline)).hasSuffix(
        """
        final class FlippingTwiceTests: XCTestCase {
          func testFlippingTwice() throws {
            let coin = try ReplayedMachine(reducible: CoinState.self, from: ["isHeads": true])
            \(body)
          }
        }

        """))
    export.kind = .quick
    let spec = Recorded.source(try export.files(of: timeline))
    #expect(spec.contains("final class FlippingTwiceSpec: QuickSpec {"))
    #expect(spec.contains("      it(\"flipping twice\") {\n        let coin = try"))
  }

  @Test(
    "assert what was asked for",
    arguments: [
      (
        TestExport.Assertion.changedOutputs,
        #".send(.flipped).toChange(outputs: ["side": "Tails"])"#
      ),
      (.state, #".toChange(state: ["isHeads": false])"#),
      (.paths([Pointer(tokens: ["state", "isHeads"])]), #".to("/state/isHeads", equal: false)"#),
      (.final, #"try coin.to(outputs: ["side": "Tails"])"#),
    ])
  func assertions(assertion: TestExport.Assertion, expected: String) throws {
    var export = TestExport(as: .swiftTesting)
    export.assertion = assertion
    let source = Recorded.source(try export.files(of: Recorded.coin()))
    #expect(source.contains(expected))
  }

  @Test("put a long timeline into a fixture, and name the values to compare")
  func fixtures() throws {
    var export = TestExport(as: .swiftTesting)
    export.inlineLimit = 1
    export.assertion = .paths([Pointer(tokens: ["outputs", "side"])])
    let timeline = try Recorded.coin()
    let files = try export.files(of: timeline)
    #expect(files.map(\.name) == ["CoinTests.swift", "coin.timeline"])
    #expect(
      Recorded.source(files).contains(
        #"try replay("coin.timeline", as: CoinState.self, comparing: .paths("/outputs/side"))"#))
    #expect(try TimelineFile.read(files[1].bytes).timeline.entries == timeline.entries)
    export.kind = .json
    let json = try export.files(of: timeline)
    #expect(json.map(\.name) == ["CoinTests.swift", "coin.json"])
    #expect(try JSON(parsing: json[1].bytes)["entries"]?.array?.count == 3)
  }

  @Test("begin a stretch with its state, and number its entries as the recording does")
  func stretches() throws {
    let timeline = try Recorded.coin().stretch(from: 1, to: 2)
    #expect(timeline.entries.map(\.seq) == [1, 2])
    #expect(timeline.entries.first?.state?.text == #"{"isHeads":false}"#)
    let source = Recorded.source(try TestExport(as: .swiftTesting).files(of: timeline))
    #expect(source.contains(#"from: ["isHeads": false], entry: 1)"#))
    #expect(throws: TestExportError.noStretch) { try Recorded.coin().stretch(from: 5) }
  }

  @Test("are the same every time")
  func deterministic() throws {
    let timeline = try Recorded.coin()
    let export = TestExport(as: .swiftTesting)
    #expect(try export.files(of: timeline) == export.files(of: timeline))
  }

  @Test(
    "do not contain an invalid type name",
    arguments: [
      #"CoinState.self); exit(1); ("#, "X\u{202e}", "App.Coin\nimport Darwin", "", "App..X", "1App",
      "App.Coin.self", "App.Coin/*", "App.Type", "App.Coin.Protocol", "App.default", "App._", "Any",
      "Self", "App.init", "class",
    ])
  func hostileTypes(type: String) throws {
    let timeline = try Recorded.timeline(
      type: type, [#"{"seq":0,"t":0,"state":1}"#])
    let export = TestExport(as: .swiftTesting)
    #expect(throws: TestExportError.notMade(type: type)) { try export.files(of: timeline) }
  }

  @Test("do not import a module whose name is a keyword", arguments: ["class", "Any", "_"])
  func hostileModules(module: String) throws {
    let timeline = try Recorded.timeline(
      type: "Coin", module: module, [#"{"seq":0,"t":0,"state":1}"#])
    let source = Recorded.source(try TestExport(as: .swiftTesting).files(of: timeline))
    #expect(source.contains("reducible: Coin.self"))
    #expect(!source.contains("@testable"))
  }

  @Test("escape names in titles and identifiers, and keep them out of comments")
  func hostileNames() throws {
    let name = "a\n*/ \u{202e}\") }; exit(1) // \\(x)"
    let timeline = try Recorded.timeline(name: name, [#"{"seq":0,"t":0,"state":1}"#])
    var export = TestExport(as: .swiftTesting)
    for title in [name, "", "class", "é", "1st", "\0"] {
      export.name = title
      let files = try export.files(of: timeline)
      let source = Recorded.source(files)
      #expect(source.unicodeScalars.allSatisfy { $0 == "\n" || (" "..."~").contains($0) })
      let comments = source.split(separator: "\n").filter { $0.hasPrefix("//") }
      #expect(comments.count == 2 && !comments.contains { $0.contains("exit") })
      #expect(files[0].name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 > 0x20 })
    }
  }

  @Test("report what to do if no test can be made")
  func refusals() throws {
    let export = TestExport(as: .swiftTesting)
    let start = [#"{"seq":0,"t":0,"state":1}"#]
    #expect(throws: TestExportError.empty) { try export.files(of: Recorded.timeline([])) }
    #expect(throws: TestExportError.kind("other")) {
      try export.files(of: Recorded.timeline(kind: "other", start))
    }
    #expect(
      TestExportError.kind(nil).description == """
        The header of the timeline has no 'kind' in its 'machine', so a test in Swift cannot send \
        its events. To fix, export a fixture, or record it again with the kind of the machine.
        """)
    #expect(throws: TestExportError.notMade(type: "App.CoinState")) {
      try export.files(of: Recorded.timeline(kind: "statechart", start))
    }
    // A recording in another language becomes a fixture, without a test.
    for kind in [nil, "statechart", "other"] {
      let timeline = try Recorded.timeline(kind: kind ?? "", make: "coin.New()", start)
      let files = try TestExport(as: .json).files(of: timeline)
      #expect(files.map(\.media) == ["application/json"])
    }
    #expect(throws: TestExportError.notMade(type: "App.CoinState", made: "coin.New()")) {
      try export.files(of: Recorded.timeline(kind: "statechart", make: "coin.New()", start))
    }
    #expect(throws: TestExportError.reflected(type: "App.CoinState")) {
      try export.files(of: Recorded.timeline(encoding: "reflected", start))
    }
    #expect(throws: TestExportError.noStartingState(seq: 0)) {
      try export.files(of: Recorded.timeline([#"{"seq":0,"t":0}"#]))
    }
    var made = export
    made.make = "App.make()\nexit(1)"
    #expect(throws: TestExportError.expression("App.make()\nexit(1)")) {
      try made.files(of: Recorded.timeline(start))
    }
    made.make = nil
    made.assertion = .paths([])
    #expect(throws: TestExportError.noPaths) { try made.files(of: Recorded.timeline(start)) }
  }

  @Test(
    "advise what works instead",
    arguments: [
      (
        TestExportError.noMachine(named: "coin", recorded: []),
        "To fix, record a machine to this sink, and call flush() before you export."
      ),
      (
        .noStartingState(seq: 0),
        "To fix, begin at a keyframe."
      ),
      (.reflected(type: "App.Coin"), "To fix, make its types Codable."),
      (
        .notMade(type: "App.Coin", made: "coin.New()"),
        """
        which does not name a Swift type as "App.Coin.self" or "App.Coin.make()" do. To fix, give \
        the Swift expression that makes one.
        """
      ),
      (
        .notMade(type: "App.Coin"),
        """
        To fix, record it by a Replayable type, or give the Swift expression that makes one.
        """
      ),
      (.noPaths, "To assert paths, name at least one."),
    ])
  func advice(error: TestExportError, advice: String) {
    #expect(error.description.hasSuffix(advice), "\(error)")
  }

  @Test("of a functional machine say how to run the object")
  func object() throws {
    var export = TestExport(as: .swiftTesting)
    let timeline = try Recorded.timeline(
      kind: "functional", make: "App.Door.make()", [#"{"seq":0,"t":0,"state":{"applied":0}}"#])
    let advice = """
      // Neither the object nor its closures run here. To run them, export with the expression
      // that makes the object.
      """
    #expect(Recorded.source(try export.files(of: timeline)).contains(advice))
    export.make = "Door()"
    #expect(!Recorded.source(try export.files(of: timeline)).contains(advice))
  }

  /// The statements of a test.
  private func body(
    _ lines: [String], kind: String = "states", outputs: [String] = [],
    assertion: TestExport.Assertion = .changedOutputs
  ) throws -> String {
    var export = TestExport(as: .swiftTesting)
    export.assertion = assertion
    if kind != "states" { export.make = "App.make()" }
    let timeline = try Recorded.timeline(kind: kind, outputs: outputs, lines)
    let source = Recorded.source(try export.files(of: timeline))
    let statements = source.split(separator: "\n").filter { $0.hasPrefix("    ") }.dropFirst()
    return statements.map { $0.dropFirst(4) }.joined(separator: "\n")
  }

  @Test("continue after losses, restored states, and redacted values")
  func interruptions() throws {
    let source = try body([
      #"{"seq":0,"t":0,"state":{"a":1},"redacted":{"/state/a":""}}"#,
      #"{"seq":4,"t":1,"event":"x","state":{"a":2},"gap":{"lost":3,"why":"the\nbuffer"}}"#,
      #"{"seq":5,"t":2,"state":{"a":3},"patch":[{"op":"replace","path":"/a","value":3}],"jump":true}"#,
      #"{"seq":6,"t":3,"event":"y"}"#,
    ])
    #expect(
      source == """
        try coin.ignore("/state/a")
        // Here 3 entries were lost.
        try coin.restore(["a": 2], entry: 4)
        try coin.restore(["a": 3])
        try coin.send(recorded: "y")
        """)
  }

  @Test("send no events after a loss until the next captured state")
  func lossesBeforeThinnedEntries() throws {
    let source = try body([
      #"{"seq":0,"t":0,"state":{"a":1}}"#,
      #"{"seq":4,"t":1,"event":"x","gap":{"lost":3,"why":"buffer"}}"#,
      #"{"seq":5,"t":2,"event":"y"}"#,
      #"{"seq":6,"t":3,"event":"z","state":{"a":7}}"#,
      #"{"seq":7,"t":4,"event":"x","patch":[{"op":"replace","path":"/a","value":8}]}"#,
    ])
    #expect(
      source == """
        // Here 3 entries were lost.
        // The test goes on with the next state that was captured.
        try coin.restore(["a": 7], entry: 6)
        try coin.send(recorded: "x").toChange(state: ["a": 8])
        """)
  }

  @Test("leave out an event that could not be written, and continue with the next state")
  func unwritten() throws {
    let source = try body([
      #"{"seq":0,"t":0,"state":{"a":1}}"#,
      #"{"seq":1,"t":1,"event":"x","error":"\#(Entry.failure(of: "event"))Broken()"}"#,
      #"{"seq":2,"t":2,"event":"y"}"#,
      #"{"seq":3,"t":3,"event":"z","state":{"a":7}}"#,
    ])
    #expect(
      source == """
        // The event of entry 1 could not be recorded.
        // The test goes on with the next state that was captured.
        try coin.restore(["a": 7], entry: 3)
        """)
  }

  @Test("undo to an entry after a loss by its number, but not to one outside the test")
  func undoAfterLosses() throws {
    let source = try body(
      [
        #"{"seq":0,"t":0,"state":[1]}"#,
        #"{"seq":4,"t":1,"event":{"add":{}},"state":[2],"gap":{"lost":3,"why":"buffer"}}"#,
        #"{"seq":5,"t":2,"event":{"add":{}},"state":[3],"patch":[]}"#,
        #"{"seq":6,"t":3,"event":{"undo":{"to":4}},"state":[2],"patch":[]}"#,
        #"{"seq":7,"t":4,"event":{"undo":{"to":2}},"state":[9],"patch":[]}"#,
        #"{"seq":8,"t":5,"event":{"redo":{"to":7}},"state":[9],"patch":[]}"#,
      ], kind: "form", assertion: .final)
    #expect(
      source == """
        // Here 3 entries were lost.
        try coin.restore([2], entry: 4)
        try coin.send(recorded: ["add": [:]])
        try coin.undo(to: 4)
        // The state that this undo restores is not in this test.
        try coin.restore([9])
        try coin.redo(to: 7)
        try coin.to(state: [9])
        """)
  }

  @Test("put the event that ended the app in a comment, and conclude with the state before it")
  func traps() throws {
    let lines = [
      #"{"seq":0,"t":0,"state":{"a":1}}"#,
      #"{"seq":1,"t":1,"event":"x","patch":[{"op":"replace","path":"/a","value":2}]}"#,
    ]
    let source = try body(
      lines + [#"{"seq":2,"t":2,"event":"*/\n\r\u2028exit(1)","error":"trapped"}"#],
      assertion: .final)
    #expect(
      source == #"""
        try coin.send(recorded: "x")
        // The app trapped while it handled this event:
        // try coin.send(recorded: "*/\n\r\u{2028}exit(1)")
        try coin.to(state: ["a": 2])
        """#)
    let long = (0..<40).map { #""name \#($0)":"\#(String(repeating: "v", count: 30))""# }
    let event = "{\(long.joined(separator: ","))}"
    let broken = try body(lines + [#"{"seq":2,"t":2,"event":\#(event),"error":"trapped"}"#])
    let after = broken.split(separator: "\n").drop { !$0.hasPrefix("//") }
    #expect(after.count > 40 && after.allSatisfy { $0.hasPrefix("//") && $0.utf8.count <= 96 })
  }

  @Test("expect the recorded error message, if it was captured")
  func errors() throws {
    let source = try body(
      [
        #"{"seq":0,"t":0,"state":{"a":1}}"#,
        #"{"seq":1,"t":1,"event":{"x":{}},"patch":[],"error":"no \"x\" here"}"#,
        #"{"seq":2,"t":2,"event":{"x":{}},"patch":[],"error":"?","redacted":{"/error":""}}"#,
        #"{"seq":3,"t":3,"event":{"x":{}},"error":"it cannot be written"}"#,
      ], kind: "statechart", assertion: .final)
    #expect(
      source == #"""
        try coin.send("x").failing("no \"x\" here")
        try coin.send("x").failing()
        try coin.send("x").failing()
        """#)
  }
}
