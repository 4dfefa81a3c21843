import JSONCore
import Testing
import Timelines

@Suite("Redux DevTools files")
struct ReduxDevToolsTests {
  private func read(_ text: String) throws -> Timeline {
    try ReduxDevTools.read(
      Array(text.utf8), named: "todo", id: TimelineID.random(),
      now: Timestamp(microseconds: 1_000_000))
  }

  /// A lifted state as the published documentation shows it, with three actions.
  private static let lifted = #"""
    {"monitorState":{},"actionsById":{
      "0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":1767225600000},
      "1":{"type":"PERFORM_ACTION","action":{"type":"added","payload":{"id":1}},"timestamp":1767225600500},
      "3":{"type":"PERFORM_ACTION","action":{"type":"cleared"},"timestamp":1767225600400}},
     "nextActionId":4,"stagedActionIds":[0,1,3],"skippedActionIds":[],"committedState":{"items":[]},
     "currentStateIndex":2,"computedStates":[{"state":{"items":[]}},{"state":{"items":[1]}},
      {"state":{"items":[1]},"error":"it broke"}],"isLocked":false,"isPaused":false}
    """#

  @Test("are read with states, times and errors when they have them")
  func liftedState() throws {
    let timeline = try read(Self.lifted)
    #expect(timeline.header.machine.name == "todo")
    #expect(timeline.header.started.text == "2026-01-01T00:00:00Z")
    #expect(timeline.entries.map(\.eventName) == [nil, "added", "cleared"])
    // A clock that goes back does not take the recording with it.
    #expect(timeline.entries.map(\.t) == [0, 500_000, 500_000])
    #expect(timeline.state(at: 1) == ["items": [1]])
    #expect(timeline.state(at: 2) == ["items": [1]])
    #expect(timeline.entries[2].error == "it broke")
    #expect(timeline.entries[1].event?.text.contains(#""payload":{"id":1}"#) == true)
  }

  @Test("are read without the actions that were switched off")
  func skipped() throws {
    let skipping = #""skippedActionIds":[1,0,77]"#
    let timeline = try read(
      Self.lifted.replacing(#""skippedActionIds":[]"#, with: skipping)
        .replacing(#"{"state":{"items":[1]}}"#, with: #"{"state":{"items":[]}}"#))
    // The first one is where all begins: it cannot be switched off.
    #expect(timeline.entries.map(\.eventName) == [nil, "cleared"])
    #expect(timeline.entries.map(\.seq) == [0, 1])
    #expect(timeline.state(at: 0) == ["items": []])
    #expect(timeline.state(at: 1) == ["items": [1]])
    for wrong in [#"{}"#, #"["1"]"#, "1"] {
      let text = Self.lifted.replacing(
        #""skippedActionIds":[]"#, with: #""skippedActionIds":\#(wrong)"#)
      #expect(throws: InterchangeError.self) { try read(text) }
    }
  }

  @Test("keep the marks that stand for dates, maps and what JSON has no word for")
  func marks() throws {
    let date = #"{"$jsan":"d1767225600000"}"#
    let action = #"{"type":"dated","on":\#(date),"was":{"$jsan":"u"},"in":{"$jsan":[[1,2]]}}"#
    let timeline = try read("[\(action)]")
    #expect(try timeline.entries.last?.event?.value == JSON(parsing: action))
    let lifted = try read(Self.lifted.replacing(#"{"items":[1]}"#, with: #"{"items":\#(date)}"#))
    #expect(lifted.state(at: 1)?["items"]?["$jsan"] == "d1767225600000")
  }

  @Test("without computed states begin with the committed one, or with the one beside them")
  func committed() throws {
    let text = Self.lifted.replacing("\n", with: "")
    let start = try #require(text.firstRange(of: #""computedStates":["#)).lowerBound
    let end = try #require(text.firstRange(of: #"],"isLocked""#)).lowerBound
    let bare = text[..<start] + #""computedStates":["# + text[end...]
    #expect(try read(String(bare)).state(at: 0) == ["items": []])
    #expect(try read(String(bare)).state(at: 1) == nil)
    let without = String(bare).replacing(#""committedState":{"items":[]},"#, with: "")
    #expect(try read(without).state(at: 0) == nil)
    let file: JSON = ["payload": .string(without), "preloadedState": #"{"items":[7]}"#]
    #expect(
      try read(String(decoding: file.encoded(), as: UTF8.self)).state(at: 0) == ["items": [7]])
  }

  @Test("are read as actions alone, in each of the other shapes")
  func actionsAlone() throws {
    let actions = #"[{"type":"added","payload":{"id":1}},{"type":"cleared"}]"#
    let bare = try read(actions)
    #expect(bare.entries.map(\.eventName) == [nil, "added", "cleared"])
    let isThinned = bare.entries.map(\.isThinned)
    #expect(isThinned == [true, true, true])
    func doubly(_ payload: String, _ state: String?) throws -> Timeline {
      var object = JSON.Object()
      object["payload"] = .string(payload)
      if let state { object["preloadedState"] = .string(state) }
      return try read(String(decoding: JSON.object(object).encoded(), as: UTF8.self))
    }
    let preloaded = try doubly(actions, #"{"items":[7]}"#)
    #expect(preloaded.state(at: 0) == ["items": [7]])
    #expect(preloaded.entries.count == 3)
    #expect(try doubly(actions, nil).entries.count == 3)
    #expect(try doubly(Self.lifted, nil).state(at: 1) == ["items": [1]])
  }

  @Test("say where they are not what they should be")
  func refusals() {
    for text in [
      "", "nonsense", "3", "{}", #"{"payload":3}"#, #"{"payload":"{}"}"#, #"{"payload":"["}"#,
      "[1]", #"[{"type":3}]"#, #"[{}]"#, #"{"actionsById":[],"stagedActionIds":[0]}"#,
      #"{"actionsById":{},"stagedActionIds":[]}"#, #"{"actionsById":{},"stagedActionIds":[0]}"#,
      #"{"actionsById":{},"stagedActionIds":["0"]}"#,
      #"{"actionsById":{"0":{}},"stagedActionIds":[0]}"#,
      #"{"actionsById":{"0":{"action":{"type":"a"}}},"stagedActionIds":[0],"timeline":{}}"#,
      #"{"payload":"[]","preloadedState":"{"}"#, #"{"type":"x","type":"y"}"#,
    ] {
      #expect(throws: InterchangeError.self, "\(text)") { try read(text) }
    }
  }

  @Test("are read whatever stands where the format leaves it open")
  func oddities() throws {
    let odd = #"""
      {"actionsById":{"0":{"action":{"type":"@@INIT"},"timestamp":1e300},
      "9":{"action":{"type":"\u202e"},"timestamp":"soon"}},
      "stagedActionIds":[0,9,9],"computedStates":[{"state":null}]}
      """#
    let timeline = try read(odd)
    #expect(timeline.entries.count == 3)
    #expect(timeline.header.started == Timestamp(microseconds: 1_000_000))
    #expect(timeline.state(at: 0) == .null)
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: InterchangeError.self) { try read(deep) }
  }

  @Test("are written so that what reads them finds all that it needs")
  func written() throws {
    let file = try JSON(parsing: ReduxDevTools.write(try read(Self.lifted)))
    let staged = try #require(file["stagedActionIds"]?.array)
    #expect(staged == [0, 1, 2])
    #expect(file["computedStates"]?.array?.count == staged.count)
    #expect(file["nextActionId"] == 3)
    #expect(file["currentStateIndex"] == 2)
    for id in staged {
      let lifted = file["actionsById"]?[id.description]
      #expect(lifted?["type"] == "PERFORM_ACTION")
      #expect(lifted?["action"]?["type"]?.string != nil)
      #expect(lifted?["timestamp"]?.int != nil)
    }
    #expect(file["actionsById"]?["1"]?["action"] == ["type": "added", "payload": ["id": 1]])
    #expect(file["timeline"] == nil)
  }

  @Test("come back as they were, from here and from there")
  func roundTrips() throws {
    let foreign = try read(Self.lifted)
    let again = try read(String(decoding: ReduxDevTools.write(foreign), as: UTF8.self))
    #expect(again.entries.map(\.event?.value) == foreign.entries.map(\.event?.value))

    var machine = Header.Machine(type: "App.Coin", name: "coin")
    machine.kind = "states"
    var own = Timeline(
      try Header(
        Header.Fields(
          timeline: .random(), app: Header.App(name: "App"), machine: machine,
          started: Timestamp(microseconds: 5_000_000))))
    let events = [
      #""flipped""#, #"{"added":{"_0":{"id":1}}}"#, #"{"opened":{}}"#, "[1]",
      #"{"type":"odd","payload":1}"#, #"{"a":1,"b":2}"#, #"{"event":{"_0":null}}"#,
    ]
    try own.append(Entry(reading: Array(#"{"seq":0,"t":0,"state":{"n":0}}"#.utf8)))
    for (index, event) in events.enumerated() {
      let line = """
        {"seq":\(index + 1),"t":\(index * 1_000),"event":\(event),"patch":\
        [{"op":"replace","path":"/n","value":\(index + 1)}]}
        """
      try own.append(Entry(reading: Array(line.utf8)))
    }
    try own.append(Entry(reading: Array(#"{"seq":8,"t":9000,"event":"lost"}"#.utf8)))
    let back = try read(String(decoding: ReduxDevTools.write(own), as: UTF8.self))
    #expect(back.header.machine.type == "App.Coin" && back.header.machine.kind == "states")
    #expect(back.entries.map(\.event?.value) == own.entries.map(\.event?.value))
    #expect((0...7).map { back.state(at: $0) } == (0...7).map { own.state(at: $0) })
    #expect(back.entries.map(\.t) == own.entries.map(\.t))
  }
}
