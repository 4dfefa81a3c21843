import JSONCore
import Testing

@testable import Timelines

private let dropped =
  "a seq, or the first and the last of a stretch; to drop other entries, use an edit for each"

@Suite("An edit script")
struct EditScriptTests {
  @Test("is read and written in the forms that the protocol has")
  func forms() throws {
    let text = #"""
      [{"drop":5},{"drop":[5,9]},{"replace":7,"event":{"set":{"n":1}}},{"insert":"flip","before":3},{"move":4,"before":2},{"append":null},{"cut":8},{"start":{"n":0}},{"start":{"seq":4}}]
      """#
    let script = try EditScript(reading: text)
    let flip = try JSONSlice(#""flip""#)
    #expect(
      script.edits == [
        .drop(5), .drop(5...9), .replace(7, event: try JSONSlice(#"{"set":{"n":1}}"#)),
        .insert(event: flip, before: 3), .move(4, before: 2), .append(event: try JSONSlice("null")),
        .cut(8), .start(state: try JSONSlice(#"{"n":0}"#)), .startAt(4),
      ])
    #expect(String(decoding: script.text, as: UTF8.self) == text)
    #expect(try EditScript(reading: "[]").edits.isEmpty)
    #expect(try EditScript(reading: #"[{"drop":1,"why":"later key"}]"#).edits == [.drop(1)])
    #expect(try EditScript(reading: #"[{"drop":[3,3]}]"#).edits == [.drop(3)])
    #expect(script != EditScript(Array(script.edits.dropLast())))
  }

  @Test("gives a state that looks like a reference as the state it is")
  func literalState() throws {
    let state = EditScript([.start(state: try JSONSlice(#"{"seq":4}"#))])
    let text = String(decoding: state.text, as: UTF8.self)
    #expect(text == #"[{"start":{"seq":4},"literal":true}]"#)
    #expect(try EditScript(reading: text) == state)
    for text in [#"{"seq":-1}"#, #"{"seq":"4"}"#, #"{"seq":4,"n":1}"#, "4"] {
      let script = try EditScript(reading: #"[{"start":\#(text)}]"#)
      #expect(script.edits == [.start(state: try JSONSlice(text))], "\(text)")
    }
  }

  @Test("brings events onto one line, for they become part of one")
  func oneLine() throws {
    let script = try EditScript(reading: "[{\"append\":{\r\n\"a b\":\n[1,\n2]}}]")
    let timeline = try sampleTimeline(#"{"seq":0,"t":0,"state":1}"#)
    let step = try #require(script.plan(for: timeline).steps(of: timeline).first)
    #expect(try step.draft.entry().event?["a b"]?[1]?.int == 2)
    #expect(!script.text.contains(0x0A))
  }

  @Test(
    "is refused with the edit's place",
    arguments: [
      ("[", .json(JSONError(.truncated, at: 1)), nil), ("{}", .notAnArray, nil),
      ("[{\"drop\":1},7]", .notAnObject, 1), ("[{}]", .noWord, 0),
      (#"[{"dorp":1}]"#, .noWord, 0),
      (#"[{"drop":1,"cut":1}]"#, .severalWords(["drop", "cut"]), 0),
      (#"[{"replace":1}]"#, .missing("event"), 0), (#"[{"insert":1}]"#, .missing("before"), 0),
      (#"[{"move":1}]"#, .missing("before"), 0),
      (#"[{"cut":-1}]"#, .expected("cut", "a seq, an integer from 0 on"), 0),
      (#"[{"cut":1.5}]"#, .expected("cut", "a seq, an integer from 0 on"), 0),
      (
        #"[{"insert":1,"before":"2"}]"#, .expected("before", "a seq, an integer from 0 on"), 0
      ),
      (#"[{"drop":[2,1]}]"#, .expected("drop", dropped), 0),
      (#"[{"drop":[1]}]"#, .expected("drop", dropped), 0),
      (#"[{"drop":[-1,1]}]"#, .expected("drop", dropped), 0),
    ] as [(String, EditError.Reason, Int?)])
  func refused(text: String, reason: EditError.Reason, index: Int?) {
    #expect(throws: EditError(reason, index: index)) { try EditScript(reading: text) }
  }
}
