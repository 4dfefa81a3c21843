import StatesCore
import StatesTesting
import Synchronization
import Testing

private struct Commute: Reducible, Equatable {
  struct Stop: Equatable { var name = "Main" }

  private(set) var isOnline = true
  private(set) var departures = 2
  private(set) var stop = Stop()
  private(set) var query: String?

  enum Event { case wentOffline, wentOnline, typed(String) }

  static func reduce(state: Commute, event: Event) -> Commute {
    var result = state
    switch event {
    case .wentOffline:
      result.isOnline = false
      result.departures = 0
      result.stop.name = "none"
    case .wentOnline: result.isOnline = true
    case .typed(let text): result.query = text
    }
    return result
  }

  static var outputs: Outputs<Commute> {
    Output("departures", \.departures)
    Output("load", \.query)
    Output("warn") { $0.isOnline ? nil : () }
  }
}

/// Serialized, because all tests of the process share one failure hook.
@Suite("Expectations of states", .serialized)
struct ExpectationTests {
  private func failure(_ body: () throws -> Void) throws -> ExpectationFailure {
    try #require(throws: ExpectationFailure.self) { try body() }
  }

  @Test("that hold do not throw, and can be chained")
  func met() throws {
    try expect(Commute()).after(.wentOffline).toTurn { $0.departures == 0 }
    try expect(Commute())
      .notToFire("warn")
      .after(.typed("bus"), .wentOffline).to(\.query, equal: "bus").toFire("warn")
      .to(output: "load", equal: "bus")
      .after([.wentOnline]).notToTurn { !$0.isOnline }.to(output: "departures", equal: 0)
    try expect(Commute()).to(equal: Commute()).to(output: "load", equal: String?.none)
  }

  @Test("accept an implicitly unwrapped state that is set before each test")
  func implicitlyUnwrapped() throws {
    var state: Commute!
    state = Commute()
    try expect(state).after(.wentOffline).toTurn { !$0.isOnline }
  }

  @Test("that fail report the place, the events, and the outputs that each event changed")
  func text() throws {
    let line = #line + 2
    let failure = try failure {
      try expect(Commute()).after(.typed("bus"), .wentOffline, .wentOffline).toTurn { $0.isOnline }
    }
    #expect(failure.line == line && failure.column > 1)
    #expect(failure.fileID == #fileID && failure.filePath == #filePath)
    #expect(
      "\(failure)" == """
        Expected Commute to turn into what the closure describes after typed("bus"), wentOffline, \
        wentOffline, but it did not.
          at \(#fileID):\(line):\(failure.column)
          start: departures = 2, load = nil, warn = nil
          1. typed("bus"): load: nil -> "bus"
          2. wentOffline: departures: 2 -> 0, warn: nil -> firing
          3. wentOffline: no output changed
        """)
  }

  @Test("of each kind can fail, and say how")
  func failures() throws {
    let start = expect(Commute())
    #expect(try failure { try start.notToTurn { $0.isOnline } }.text.contains("but it did."))
    #expect(
      try failure { try start.to(\.departures, equal: 3) }.text
        .contains("Expected the value to equal 3 at the start, but it is 2."))
    #expect(
      try failure { try start.to(output: "departures", equal: 3) }.text
        .contains("Expected output \"departures\" to equal 3 at the start, but it is 2."))
    #expect(
      try failure { try start.to(output: "load", equal: "") }.text.contains("but it is nil."))
    #expect(
      try failure { try start.to(output: "departures", equal: "2") }.text.contains("it is 2"))
    #expect(try failure { try start.toFire("warn") }.text.contains("the opposite is true"))
    #expect(
      try failure { try start.after(.wentOffline).notToFire("warn") }.text
        .contains("the opposite is true"))
    for missing in [
      try failure { try start.toFire("lode") }, try failure { try start.notToFire("lode") },
      try failure { try start.to(output: "lode", equal: 1) },
    ] {
      #expect(missing.text.contains("its outputs: \"departures\", \"load\", \"warn\""))
    }
  }

  @Test("name the properties in which two states differ")
  func differences() throws {
    let failure = try failure { try expect(Commute()).after(.wentOffline).to(equal: Commute()) }
    #expect(failure.text.contains("    departures: found 0, expected 2\n"))
    #expect(failure.text.contains("    stop.name: found \"none\", expected \"Main\""))
    #expect(!failure.text.contains("query:"))
  }

  @Test("do not throw with a hook, which receives every failure")
  func hook() throws {
    let lines = Mutex<[Int]>([])
    StatesTesting.onFailure = { failure in lines.withLock { $0.append(failure.line) } }
    defer { StatesTesting.onFailure = nil }
    let line = #line + 1
    try expect(Commute()).toTurn { !$0.isOnline }.after(.wentOffline).toTurn { $0.isOnline }
    #expect(lines.withLock { $0 } == [line, line])
  }
}
