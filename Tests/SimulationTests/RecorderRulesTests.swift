import JSONCore
import Testing
import Timelines

@testable import Simulation

/// The reading of the wire finds what the protocol forbids.
struct RecorderRulesTests {
  private let id = "00000000-0000-4000-8000-000000000001"

  private func message(_ text: String) throws -> JSONSlice {
    try JSONSlice(validating: Array(text.utf8))
  }

  /// The rules of a recorder that was welcomed with that credit and has opened its timeline.
  private func welcomed(
    credit: Int, _ book: Book, durable: String = "{}"
  ) throws -> RecorderRules {
    var rules = RecorderRules()
    #expect(rules.fromRecorder(try message(#"{"type":"hello"}"#), 16, isRemote: false, book) == nil)
    let welcome = try message(#"{"type":"welcome","credit":\#(credit),"durable":\#(durable)}"#)
    #expect(rules.fromDaemon(welcome, isRemote: false, book) == nil)
    rules.delivered(welcome)
    let open = try message(
      """
      {"type":"open","header":{"timeline":"\(id)","app":{"name":"A"},"machine":{"type":"M"},\
      "started":"2026-01-01T00:00:00Z"}}
      """)
    #expect(rules.fromRecorder(open, 100, isRemote: false, book) == nil)
    return rules
  }

  private func book(entries: Int) throws -> Book {
    let book = Book()
    let timeline = book.begin(try #require(TimelineID(id)), owner: "app")
    for _ in 0..<entries { timeline.add(.add(1), ModelState()) }
    return book
  }

  private func append(_ entries: String) throws -> JSONSlice {
    try message(#"{"type":"append","timeline":"\#(id)","entries":[\#(entries)]}"#)
  }

  @Test("an append before the welcome is found")
  func early() throws {
    var rules = RecorderRules()
    let problem = rules.fromRecorder(
      try append(#"{"seq":0,"t":0}"#), 80, isRemote: false, try book(entries: 1))
    #expect(problem == "'append' before 'welcome'")
  }

  @Test("an append without credit is found")
  func credit() throws {
    let book = try book(entries: 2)
    var rules = try welcomed(credit: 50, book)
    #expect(
      rules.fromRecorder(try append(#"{"seq":0,"t":0}"#), 80, isRemote: false, book) == nil)
    let problem = rules.fromRecorder(
      try append(#"{"seq":1,"t":0}"#), 80, isRemote: false, book)
    #expect(problem == "an 'append' without credit (-30)")
  }

  @Test("a gap that does not fit is found")
  func gap() throws {
    let book = try book(entries: 9)
    var rules = try welcomed(credit: 5_000, book)
    let entries = #"{"seq":0,"t":0},{"seq":4,"t":0,"gap":{"lost":2,"why":"full"}}"#
    let problem = rules.fromRecorder(try append(entries), 80, isRemote: false, book)
    #expect(problem == "entry 4 follows 0 with a gap of 2")
  }

  @Test("an acknowledgement of what was never sent is found")
  func acknowledgement() throws {
    let book = try book(entries: 3)
    var rules = try welcomed(credit: 5_000, book)
    _ = rules.fromRecorder(try append(#"{"seq":0,"t":0}"#), 80, isRemote: false, book)
    let ack = try message(#"{"type":"ack","timeline":"\#(id)","durable":1}"#)
    #expect(
      rules.fromDaemon(ack, isRemote: false, book) == "entry 1 is acknowledged, and was never sent")
  }

  @Test("a recorder whose timeline was deleted reports all of it as lost when it closes")
  func deleted() throws {
    for (lost, problem) in [
      (3, nil),
      (2, "closed after entry -1 with a loss of 2, and the last entry is 2"),
    ] {
      let book = try book(entries: 3)
      let timeline = try #require(TimelineID(id).flatMap { book[$0] })
      _ = timeline.send(0, isThinned: false, lostBefore: 0)
      #expect(timeline.acknowledge(0) == nil)
      var rules = try welcomed(credit: 5_000, book, durable: #"{"\#(id)":null}"#)
      let close = try message(
        #"{"type":"close","timeline":"\#(id)","gap":{"lost":\#(lost),"why":"deleted"}}"#)
      #expect(rules.fromRecorder(close, 80, isRemote: false, book) == problem)
    }
  }

  @Test("more credit than was spent is found")
  func tooMuchCredit() throws {
    let book = try book(entries: 1)
    var rules = try welcomed(credit: 5_000, book)
    _ = rules.fromRecorder(try append(#"{"seq":0,"t":0}"#), 80, isRemote: false, book)
    let credit = try message(#"{"type":"credit","bytes":81}"#)
    #expect(
      rules.fromDaemon(credit, isRemote: false, book)
        == "81 B of credit given back, and 80 spent")
  }

  /// The rules of a recorder that may have one timeline open, and what is wrong with its messages.
  private func problems(_ texts: String...) throws -> [String] {
    let book = try book(entries: 3)
    var rules = RecorderRules()
    var problems: [String] = []
    for text in texts {
      let message = try message(text.replacing("ID", with: id))
      let isAnswer = text.contains("welcome") || text.contains("ack")
      let problem =
        isAnswer
        ? rules.fromDaemon(message, isRemote: false, book)
        : rules.fromRecorder(message, 50, isRemote: false, book)
      if isAnswer { rules.delivered(message) }
      if let problem { problems.append(problem) }
    }
    return problems
  }

  private let welcome = #"{"type":"welcome","credit":9000,"durable":{},"maxTimelines":1}"#
  private let firstEntry = #"{"type":"append","timeline":"ID","entries":[{"seq":0,"t":0}]}"#
  private let ack = #"{"type":"ack","timeline":"ID","durable":0}"#
  private let park = #"{"type":"close","timeline":"ID","parks":true}"#
  private let closed = #"{"type":"ack","timeline":"ID","durable":0,"closed":true}"#

  private func open(_ id: String = "ID") -> String {
    """
    {"type":"open","header":{"timeline":"\(id)","app":{"name":"A"},"machine":{"type":"M"},\
    "started":"2026-01-01T00:00:00Z"}}
    """
  }

  @Test("more open timelines than the daemon allows are found")
  func places() throws {
    let hello = #"{"type":"hello"}"#
    #expect(try problems(hello, welcome, open(), firstEntry, ack, park, closed, open("x")) == [])
    #expect(
      try problems(hello, welcome, open(), firstEntry, ack, park, open("x"))
        == ["2 timelines are open, of 1"])
    #expect(
      try problems(hello, welcome, open(), firstEntry, ack, park, open())
        == ["\(id) is opened before its 'close' is answered"])
    #expect(
      try problems(#"{"type":"hello","timelines":["x","y"]}"#, welcome)
        == ["'hello' names 2 timelines, of 1"])
  }

  @Test("a timeline that is parked before its entries are acknowledged is found")
  func parking() throws {
    #expect(
      try problems(#"{"type":"hello"}"#, welcome, open(), firstEntry, park)
        == ["\(id) is parked after 0, and -1 is acknowledged"])
  }
}
