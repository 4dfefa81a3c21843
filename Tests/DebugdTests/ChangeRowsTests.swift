import Foundation
import JSONCore
import Testing
import Wire

@testable import debugd

@Suite("Changes of a value")
struct ChangeRowsTests {
  private static func change(_ seq: Int64, _ old: String?, _ new: String?) throws
    -> ToInspector.Change
  {
    var change = ToInspector.Change()
    change.seq = seq
    change.old = try old.map { try JSONSlice(validating: Array($0.utf8)) }
    change.new = try new.map { try JSONSlice(validating: Array($0.utf8)) }
    return change
  }

  private static func entry(_ text: String) throws -> JSONSlice {
    try JSONSlice(validating: Array(text.utf8))
  }

  @Test("name what set it, and where, in columns")
  func setters() throws {
    var rows = ChangeRows(
      on: Terminal(
        output: .nullDevice, errors: .nullDevice, isInteractive: false, hasColor: false,
        columns: nil))
    rows.add(
      try Self.change(13, "3", "4"),
      try Self.entry(
        #"{"seq":13,"t":9,"event":{"left":{"plate":"C-EM 3"}},"at":"Garage/main.swift:23"}"#))
    rows.add(
      try Self.change(5, "10000", "3"),
      try Self.entry(#"{"seq":5,"t":5,"event":"reset\u001b","at":"Garage/\u202e.swift:1"}"#))
    rows.add(try Self.change(4, nil, "10000"), nil)
    rows.add(try Self.change(0, nil, "1"), try Self.entry(#"{"seq":0,"t":0,"state":1}"#))
    #expect(rows.header == "     seq  old → new        event")
    #expect(
      rows.lines == [
        #"      13  3 → 4            left  {"plate":"C-EM 3"}  Garage/main.swift:23"#,
        #"       5  10000 → 3        reset\u{1b}  Garage/\u{202e}.swift:1"#,
        #"       4  nothing → 10000"#,
        #"       0  nothing → 1      start"#,
      ])
  }

  @Test("are JSON with the event and the call site as they were recorded")
  func json() throws {
    let change = try Self.change(2, "1", "2")
    let entry = try Self.entry(#"{"seq":2,"t":9,"event":{"left":{}},"at":"a.swift:1","patch":[]}"#)
    #expect(
      ChangeRows.json(change, entry)
        == ["seq": 2, "old": 1, "new": 2, "event": ["left": [:]], "at": "a.swift:1"])
    #expect(ChangeRows.json(change, nil) == ["seq": 2, "old": 1, "new": 2])
  }
}
