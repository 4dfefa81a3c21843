import JSONCore
import Recorder
import Replaying
import TestSupport
import Testing
import Timelines
import Wire

@Suite("Recorder: steps that a host keeps")
struct HostKeepingTests {
  private static let trunk = "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a"
  private static let branch = "7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e"

  private let session = HostSession(HostedMachines(of: Purse.self, Book.self), keeps: true)

  private func ask(_ keys: String, make: String = "RecorderTests.Purse.self") throws -> JSON {
    var answers: [JSON] = []
    let line = #"{"type":"reduce","id":8,"make":"\#(make)",\#(keys)}"#
    try ask(Array(line.utf8)) { answers.append(try JSON(parsing: $0)) }
    try #require(answers.count == 1, "\(answers)")
    return answers[0]
  }

  private func ask(_ line: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
    var answers: [[UInt8]] = []
    session.receive(line) { answers.append($0.encoded()) }
    for answer in answers { try body(answer) }
  }

  /// Keeps the steps 1 to 9, each of which puts as many coins as its number.
  private func load() throws {
    let steps = (1...9).map { #"{"event":{"put":{"_0":\#($0)}},"was":\#($0),"t":\#($0 * 10)}"# }
    let answer = try ask(
      #""seq":1,"steps":[\#(steps.joined(separator: ","))],"timeline":"\#(Self.trunk)","load":true"#
    )
    #expect(answer["kept"] == [1, 9])
  }

  private let begin = #""state":{"coins":1,"code":""},"outputState":{"isRich":false},"seq":2"#

  @Test("run without being sent again, from any entry, with the same results")
  func runs() throws {
    try load()
    let made = try ask(
      #"\#(begin),"steps":[{"t":0,"kept":[3,9]}],"quiet":5,"snapshot":true,"timeline":"\#(Self.branch)","of":"\#(Self.trunk)""#
    )
    #expect(made["state"]?["coins"] == 43)
    let rows = made["entries"]?.array ?? []
    #expect(rows.map { $0["seq"]?.int } == [7, 8])
    #expect(rows.map { $0["was"]?.int } == [8, 9])
    #expect(rows.map { $0["t"]?.int } == [80, 90])
    let moment = try ask(
      #""seq":2,"steps":[],"count":3,"quiet":3,"snapshot":true,"timeline":"\#(Self.branch)""#)
    #expect(moment["state"]?["coins"] == 13)
    // Entries one after the other: the second request goes on where the first one ended.
    let first = try ask(#""seq":2,"steps":[],"count":3,"timeline":"\#(Self.branch)""#)
    let second = try ask(#""seq":5,"steps":[],"count":4,"timeline":"\#(Self.branch)""#)
    #expect(first["entries"]?[0]?["state"]?["coins"] == 4)
    #expect(second["entries"]?.array?.count == 4)
    #expect(second["entries"]?[0]?["patch"]?[0]?["value"] == 19)
  }

  @Test(
    "what is not kept, or was never there, is refused and never traps",
    arguments: [
      (#""seq":2,"steps":[],"count":1,"timeline":"\#(branch)""#, "missing"),
      (#""seq":2,"steps":[{"t":0,"kept":[3,9]}],"timeline":"\#(branch)""#, "missing"),
      (
        #""state":{"coins":1,"code":""},"seq":2,"steps":[{"t":0,"kept":[3,10]}],"timeline":"\#(branch)","of":"\#(trunk)""#,
        "missing"
      ),
      (
        #""state":{"coins":1,"code":""},"seq":2,"steps":[{"t":0,"kept":[0,9007199254740991]},{"t":0,"kept":[0,9007199254740991]}],"timeline":"\#(branch)","of":"\#(trunk)""#,
        "missing"
      ),
      (#""seq":0,"steps":[{"event":1,"t":0}],"timeline":"\#(trunk)","load":true"#, "wrong-value"),
      (
        #""seq":9007199254740991,"steps":[{"event":1,"t":0}],"timeline":"\#(trunk)","load":true"#,
        "wrong-value"
      ),
      (#""seq":10,"steps":[{"t":0}],"timeline":"\#(trunk)","load":true"#, "missing"),
    ])
  func refused(keys: String, code: String) throws {
    try load()
    #expect(try ask(keys)["code"]?.string == code)
  }

  @Test(
    "a range beyond a branch is refused, and so are such requests to a session that keeps nothing")
  func beyond() throws {
    try load()
    _ = try ask(
      #"\#(begin),"steps":[{"t":0,"kept":[3,9]}],"timeline":"\#(Self.branch)","of":"\#(Self.trunk)""#
    )
    for keys in [
      #""seq":1,"count":1"#, #""seq":2,"count":8"#, #""seq":9007199254740991,"count":1"#,
    ] {
      let answer = try ask(#"\#(keys),"steps":[],"timeline":"\#(Self.branch)""#)
      #expect(answer["code"]?.string == "wrong-value", "\(keys)")
    }
    var answers: [String] = []
    HostSession(HostedMachines(of: Purse.self)).receive(
      Array(
        #"{"type":"reduce","id":8,"make":"RecorderTests.Purse.self","seq":2,"steps":[],"timeline":"\#(Self.branch)"}"#
          .utf8)
    ) { answers.append(String(decoding: $0.encoded(), as: UTF8.self)) }
    #expect(answers.count == 1 && answers[0].contains(#""code":"missing""#))
  }
}
