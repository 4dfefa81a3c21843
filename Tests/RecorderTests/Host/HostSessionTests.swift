import JSONCore
import Recorder
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines
import Wire

@Suite("Recorder: host session")
struct HostSessionTests {
  private let purse = #""make":"RecorderTests.Purse.self""#

  private func session(
    _ limits: HostLimits = HostLimits(),
    _ environment: HostSessionEnvironment = HostSessionEnvironment()
  ) -> HostSession {
    HostSession(
      HostedMachines(of: Purse.self, Book.self), limits: limits, environment: environment)
  }

  private func answers(_ session: HostSession, _ line: String) -> [String] {
    var answers: [String] = []
    session.receive(Array(line.utf8)) { envelope in
      answers.append(String(decoding: envelope.encoded(), as: UTF8.self))
    }
    return answers
  }

  private func reduced(_ session: HostSession, _ line: String) throws -> [JSON] {
    try answers(session, line).map { try JSON(parsing: $0) }
  }

  @Test("first announces what it can make")
  func hello() {
    let hello = String(decoding: session().hello(.process).encoded(), as: UTF8.self)
    #expect(
      hello == #"""
        {"type":"hello","version":"1.0","can":{"host":{"place":"process","makes":["RecorderTests.Book.make()","RecorderTests.Purse.self"],"confirms":true,"expands":true}}}
        """#)
  }

  @Test("starts from a state, and answers each event with its entry; the first is a keyframe")
  func entries() throws {
    let answers = try reduced(
      session(),
      #"""
      {"type":"reduce","id":8,\#(purse),"state":{"coins":99,"code":""},"outputState":{"isRich":false},"seq":41,"steps":[{"event":{"put":{"_0":1}},"was":41,"t":10,"origin":"app","at":"A.swift:1","cause":40},{"event":{"put":{"_0":1}},"was":42,"t":20},{"state":{"coins":5,"code":""},"was":43,"t":30}]}
      """#)
    try #require(answers.count == 1)
    #expect(answers[0]["re"] == 8)
    #expect(answers[0]["ended"] == nil && answers[0]["more"] == nil)
    let entries = try (answers[0]["entries"]?.array ?? []).map { try Entry(reading: $0.encoded()) }
    try #require(entries.count == 3)
    #expect(entries.map(\.seq) == [41, 42, 43])
    #expect(entries.map(\.was) == [41, 42, 43])
    #expect(entries[0].state?.value == ["coins": 100, "code": ""])
    #expect(entries[0].outputs == nil && entries[0].outputState?["isRich"]?.bool == false)
    #expect(entries[0].at == "A.swift:1" && entries[0].cause == .here(40))
    #expect(
      entries[1].outputs?.value == [["op": "replace", "path": "/isRich", "value": true]])
    #expect(entries[2].isJump && entries[2].state?["coins"]?.int == 5)
    #expect(entries[2].outputState?["isRich"]?.bool == false)
  }

  /// Some payments as they were recorded, `change` made to the line of one.
  private func confirmation(
    _ changes: [Int: (inout EntryDraft) -> Void] = [:], make: String = "RecorderTests.Purse.self",
    seq: Int64 = 41, count: Int = 10
  ) throws -> String {
    let replayer = try Replay(reducible: Purse.self).makeReplayer()
    let state = #"{"coins":99,"code":""}"#
    try replayer.load(
      state: JSONSlice(validating: Array(state.utf8)), outputs: nil, seq: 40)
    let lines = try (0..<count).map { index in
      let event = try JSONSlice(validating: Array(#"{"put":{"_0":1}}"#.utf8))
      var draft = try replayer.run(
        PlannedStep(seq: 41 + Int64(index), t: 5, action: .reduce(event)))
      // The machine hides its code, and the host says so of each entry.
      draft.redacted = []
      changes[index]?(&draft)
      return String(decoding: draft.line, as: UTF8.self)
    }
    return #"""
      {"type":"confirm","id":9,"make":"\#(make)","state":\#(state),"outputState":{"isRich":false},"seq":\#(seq),"lines":[\#(lines.joined(separator: ","))]}
      """#
  }

  private func confirmed(_ line: String) throws -> JSON {
    let answers = try reduced(session(), line)
    return try #require(answers.count == 1 ? answers[0] : nil)
  }

  @Test("entries with the same bytes are confirmed, and nothing else is sent")
  func confirms() throws {
    #expect(try confirmed(confirmation()) == ["type": "confirmed", "re": 9, "entries": 10])
  }

  /// What bytes alone do not prove.
  enum Doubt: CaseIterable {
    case anotherPatch, anotherOutput, anError, noState, aLoss, aJump, noEvent, anotherNumber

    func change(_ draft: inout EntryDraft) {
      switch self {
      case .anotherPatch:
        draft.patch = Array(#"[{"op":"replace","path":"/coins","value":1}]"#.utf8)[...]
      case .anotherOutput: draft.outputs = Array(#"[{"op":"remove","path":"/isRich"}]"#.utf8)[...]
      case .anError: draft.error = "the purse was lost"
      case .noState: draft.thin()
      case .aLoss: draft.gap = Gap(lost: 3, why: "the outbox was full")
      case .aJump: (draft.event, draft.isJump) = (nil, true)
      case .noEvent: draft.event = Array(#"{"put":{"_0":"x"}}"#.utf8)[...]
      case .anotherNumber: draft.seq += 1
      }
    }
  }

  @Test("an entry without equal bytes ends the count", arguments: Doubt.allCases)
  func unconfirmed(doubt: Doubt) throws {
    for place in [0, 4, 9] {
      let answer = try confirmed(confirmation([place: doubt.change]))
      #expect(answer["entries"]?.int == Int64(place))
    }
  }

  @Test("stand-ins in confirmed entries are reported")
  func confirmsStandIns() throws {
    let hide = { (draft: inout EntryDraft) in
      draft.redacted = [Redaction(Pointer(tokens: ["state", "code"]), hash: "")]
    }
    #expect(
      try confirmed(confirmation([3: hide]))
        == ["type": "confirmed", "re": 9, "entries": 10, "redacted": true])
    let later = try confirmed(confirmation([3: { $0.thin() }, 4: hide]))
    #expect(later == ["type": "confirmed", "re": 9, "entries": 3])
  }

  @Test("an invalid confirmation is refused, and a canceled one ends")
  func refusesToConfirm() throws {
    #expect(try confirmed(confirmation(make: "X()"))["code"] == "not-found")
    #expect(try confirmed(confirmation(seq: 0))["code"] == "wrong-value")
    let words = try confirmation().replacing("\"lines\":[", with: "\"lines\":7,\"more\":[")
    #expect(try confirmed(words)["code"] == "wrong-type")
    var limits = HostLimits()
    limits.milliseconds = 0
    var time = Duration.zero
    let slow = HostSessionEnvironment(now: {
      time += .seconds(1)
      return time
    })
    #expect(try reduced(session(limits, slow), confirmation(count: 200))[0]["entries"] == 63)
    let canceled = HostSessionEnvironment(isCancelled: { $0 == .number(9) })
    let answer = try reduced(session(HostLimits(), canceled), confirmation(count: 200))
    #expect(answer[0]["code"] == "cancelled")
  }

  @Test("without a state it starts a fresh machine; from 0 the start is an entry")
  func fresh() throws {
    let make = #""make":"RecorderTests.Book.make()""#
    let patch = #"{"apply":{"patch":[{"op":"add","path":"/2","value":3}]}}"#
    let first = try reduced(
      session(), #"{"type":"reduce","id":1,\#(make),"seq":0,"steps":[{"event":\#(patch),"t":5}]}"#)
    #expect(first[0]["entries"]?[0]?["state"] == [1, 2])
    #expect(first[0]["entries"]?[1]?["seq"] == 1)
    let later = try reduced(
      session(), #"{"type":"reduce","id":1,\#(make),"seq":9,"steps":[{"event":\#(patch),"t":5}]}"#)
    #expect(later[0]["entries"]?[0]?["seq"] == 9)
    #expect(later[0]["entries"]?[0]?["state"] == [1, 2, 3])
    let given = try reduced(
      session(), #"{"type":"reduce","id":1,\#(make),"state":[7],"seq":0,"steps":[]}"#)
    #expect(given[0]["entries"] == [["seq": 0, "t": 0, "state": [7]]])
  }

  @Test("an event that does not apply is an error with an empty patch, and the rest follows")
  func errors() throws {
    let bad = #"{"apply":{"patch":[{"op":"remove","path":"/9"}]}}"#
    let good = #"{"apply":{"patch":[{"op":"remove","path":"/0"}]}}"#
    let answer = try reduced(
      session(),
      #"""
      {"type":"reduce","id":1,"make":"RecorderTests.Book.make()","state":[1],"seq":1,"steps":[{"event":\#(good),"t":1},{"event":\#(bad),"t":2},{"event":{"apply":{"patch":[]}},"t":3}]}
      """#)
    let entries = answer[0]["entries"]?.array ?? []
    #expect(entries.count == 3)
    #expect(entries[1]["error"]?.string?.contains("does not apply") == true)
    #expect(entries[1]["patch"] == [])
    #expect(entries[2]["error"] == nil)
  }

  @Test("an invalid event ends the answer, with the entry and the path")
  func undecodable() throws {
    let answer = try reduced(
      session(),
      #"""
      {"type":"reduce","id":1,\#(purse),"state":{"coins":0,"code":""},"seq":5,"steps":[{"event":{"put":{"_0":1}},"t":1},{"event":{"put":{"_0":"x"}},"t":2},{"event":{"put":{"_0":1}},"t":3}]}
      """#)
    #expect(answer[0]["entries"]?.array?.count == 1)
    #expect(answer[0]["ended"]?["why"] == "undecodable")
    #expect(answer[0]["ended"]?["seq"] == 6)
    #expect(answer[0]["ended"]?["message"]?.string?.contains("/put/_0") == true)
  }

  @Test("long answers come in parts that fit the limits")
  func parts() throws {
    var limits = HostLimits()
    limits.partEntries = 3
    let steps = (0..<10).map { #"{"event":{"put":{"_0":\#($0)}},"t":\#($0)}"# }
    let answers = try reduced(
      session(limits),
      #"""
      {"type":"reduce","id":1,\#(purse),"state":{"coins":0,"code":""},"seq":1,"steps":[\#(steps.joined(separator: ","))]}
      """#)
    #expect(answers.map { $0["entries"]?.array?.count } == [3, 3, 3, 1])
    #expect(answers.map { $0["more"] } == [true, true, true, nil])
    let seqs = answers.flatMap { ($0["entries"]?.array ?? []).map { $0["seq"]?.int } }
    #expect(seqs == (1...10).map { Int64($0) })
  }

  @Test("time, memory and a message's length are limits; what was computed is not lost")
  func limits() throws {
    let steps = (0..<10).map { #"{"event":{"put":{"_0":\#($0)}},"t":\#($0)}"# }
    let line = #"""
      {"type":"reduce","id":1,\#(purse),"state":{"coins":0,"code":""},"seq":1,"milliseconds":45,"bytes":1000,"steps":[\#(steps.joined(separator: ","))]}
      """#
    var time = 0
    let slow = HostSessionEnvironment(now: {
      time += 10
      return .milliseconds(time)
    })
    let late = try reduced(session(HostLimits(), slow), line)
    #expect(late[0]["ended"]?["why"] == "limit")
    #expect(
      late[0]["ended"]?["seq"]
        == .number(JSON.Number(Int64(late[0]["entries"]?.array?.count ?? 0) + 1)))
    #expect((1...5).contains(late[0]["entries"]?.array?.count ?? 0))

    var memory: Int64 = 0
    var now = 0
    let hungry = HostSessionEnvironment(
      now: {
        now += 6
        return .milliseconds(now)
      },
      memory: {
        memory += 400
        return memory
      })
    let roomy = line.replacing(#""milliseconds":45"#, with: #""milliseconds":9000"#)
    let full = try reduced(session(HostLimits(), hungry), roomy)
    #expect(full[0]["ended"]?["message"]?.string?.contains("memory") == true)
    #expect(full[0]["entries"]?.array?.count == 2)

    var tight = HostLimits()
    tight.messageBytes = 4_096 + 100
    let long = try reduced(
      session(tight),
      #"{"type":"reduce","id":1,\#(purse),"state":{"coins":0,"code":""},"seq":1,"steps":[{"event":{"put":{"_0":1}},"t":1,"at":"\#(String(repeating: "a", count: 200))"}]}"#
    )
    #expect(long[0]["ended"]?["why"] == "limit")
  }

  @Test("a canceled request is answered with the code for it")
  func canceled() throws {
    var asked = 0
    let environment = HostSessionEnvironment(isCancelled: { _ in
      asked += 1
      return asked > 2
    })
    let steps = (0..<5).map { #"{"event":{"put":{"_0":1}},"t":\#($0)}"# }
    let answer = try reduced(
      session(HostLimits(), environment),
      #"""
      {"type":"reduce","id":"x","make":"RecorderTests.Purse.self","state":{"coins":0,"code":""},"seq":1,"steps":[\#(steps.joined(separator: ","))]}
      """#)
    #expect(answer.map { $0["code"] } == ["cancelled"])
    #expect(answer[0]["re"] == "x")
  }

  @Test("redacted values do not leave the host")
  func redaction() throws {
    let lines = answers(
      session(),
      #"""
      {"type":"reduce","id":1,\#(purse),"state":{"coins":0,"code":""},"seq":1,"steps":[{"event":{"locked":{"code":"opensesame"}},"t":1}]}
      """#)
    #expect(!lines.joined().contains("opensesame"))
    let entry = try JSON(parsing: lines[0])["entries"]?[0]
    #expect(entry?["redacted"]?["/state/code"] == "")
    #expect(entry?["redacted"]?["/event/locked"] == "")
    #expect(entry?["event"] == ["locked": ["code": ""]])
  }

  @Test("types that cannot run are reported, each with a remedy")
  func problems() {
    let machines = HostedMachines(
      of: Purse.self, Unreadable.self, Int.self, MadeUnreadable.self)
    #expect(machines.makes == ["RecorderTests.Purse.self"])
    #expect(
      machines.problems == [
        """
        Unreadable cannot run in a host, because its state or its events are not Codable. To fix, \
        make both Codable.
        """,
        """
        Int cannot run in a host, because it does not make a machine. To fix, pass a Reducible state, or a Replayable type \
        that makes the machine.
        """,
        """
        The machine of MadeUnreadable.make() cannot run in a host, because its state or its events \
        are not Codable. To fix, make both Codable.
        """,
      ])
  }

  @Test("an unknown machine is refused with the list of known ones")
  func unknownMachine() throws {
    let answer = answers(
      session(), #"{"type":"reduce","id":1,"make":"X()","seq":0,"steps":[]}"#)
    #expect(
      try JSON(parsing: answer[0])["message"]?.string == """
        This host does not make "X()". It makes RecorderTests.Book.make(), \
        RecorderTests.Purse.self. To fix, pass the machine's type to ReducerHost.
        """)
  }

  @Test(
    "whatever line comes is answered, with a code and a sentence",
    arguments: [
      (#"{"#, "malformed"), ("", "malformed"), ("[1]", "wrong-type"), ("{}", "missing"),
      (#"{"type":"append"}"#, "unknown-type"), (#"{"type":"hold","id":1}"#, "missing"),
      (#"{"type":"reduce"}"#, "missing"), (#"{"type":"reduce","id":-1}"#, "wrong-value"),
      (#"{"type":"reduce","id":1,"make":"X()","seq":0,"steps":[]}"#, "not-found"),
      (
        #"{"type":"reduce","id":1,"make":"RecorderTests.Purse.self","seq":0,"steps":[]}"#, "missing"
      ),
      (
        #"{"type":"reduce","id":1,"make":"RecorderTests.Purse.self","seq":-1,"steps":[]}"#,
        "wrong-value"
      ),
      (
        #"{"type":"reduce","id":1,"make":"RecorderTests.Purse.self","seq":9007199254740991,"steps":[{"t":0,"event":1}]}"#,
        "wrong-value"
      ),
      (
        #"{"type":"reduce","id":1,"make":"RecorderTests.Purse.self","state":{},"seq":1,"steps":[{"t":0}]}"#,
        "missing"
      ),
      (
        #"{"type":"reduce","id":1,"make":"RecorderTests.Purse.self","state":{},"seq":1,"steps":[{"t":-5,"event":1}]}"#,
        "wrong-value"
      ),
      (
        #"{"type":"reduce","id":1,"make":"RecorderTests.Purse.self","state":{},"seq":1,"steps":[{"t":5,"event":1,"cause":"x"}]}"#,
        "wrong-value"
      ),
    ])
  func hostile(line: String, code: String) throws {
    let answer = try reduced(session(), line)
    try #require(answer.count == 1)
    #expect(answer[0]["type"] == "error")
    #expect(answer[0]["code"]?.string == code, "\(answer[0])")
    #expect(answer[0]["message"]?.string?.isEmpty == false)
  }

  @Test("a line with any byte changed is answered, or read as another request, and never traps")
  func mutated() throws {
    let line = Array(
      #"{"type":"reduce","id":8,\#(purse),"state":{"coins":1,"code":"abc"},"outputState":{"isRich":false},"seq":2,"steps":[{"event":{"put":{"_0":1}},"was":2,"t":10,"cause":1},{"state":{"coins":5,"code":""},"t":30}],"milliseconds":50,"bytes":5000000}"#
        .utf8)
    var generator = SeededGenerator(seed: 11)
    let session = session()
    for _ in 0..<2_000 {
      var bytes = line
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(ascii: "9"), at: place)
        }
      }
      var count = 0
      session.receive(bytes) { _ in count += 1 }
      #expect(count >= 1, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
