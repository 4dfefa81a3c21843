import DebugServer
import Foundation
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("output on a terminal")
struct TerminalTests {
  private func terminal(color: Bool = false, columns: Int? = nil, reads: Bool = false) -> Terminal {
    Terminal(
      output: .nullDevice, errors: .nullDevice, isInteractive: reads, hasColor: color,
      columns: columns)
  }

  @Test("spells out what would move the cursor or turn the reading direction")
  func escapes() {
    #expect(Escaped.text("a\u{1B}[2J\nb") == "a\\u{1b}[2J\\u{a}b")
    #expect(Escaped.text("x\u{202E}y\u{200F}") == "x\\u{202e}y\\u{200f}")
    #expect(Escaped.text("Größe 🪙 \u{85}") == "Größe 🪙 \\u{85}")
    #expect(Escaped.quoted(String(repeating: "x", count: 100)).count == 82)
  }

  @Test("prints errors without moving the cursor, whatever they quote")
  func complaints() throws {
    let pipe = Pipe()
    let terminal = Terminal(
      output: .nullDevice, errors: pipe.fileHandleForWriting, isInteractive: true, hasColor: true,
      columns: nil)
    terminal.complain("debugd: The entry 5 was lost: \u{1B}[2J\r\u{202E}why.\nTo fix, look.")
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    #expect(
      text == "debugd: The entry 5 was lost: \\u{1b}[2J\\u{d}\\u{202e}why.\nTo fix, look.\n")
  }

  @Test("what a daemon or its host answers is one line")
  func answers() {
    let reply = ErrorReply {
      $0.code = .failed
      $0.message = "\u{1B}]0;x\u{7}\n10:00:00 a forged line"
    }
    #expect(
      BackendError.refused(reply).description
        == #"\u{1b}]0;x\u{7}\u{a}10:00:00 a forged line"#)
    #expect(!BackendError.disconnected("a\nb").description.contains("\n"))
  }

  @Test("aligns columns, and cuts the last one")
  func tables() {
    var table = Table([("seq", .right), ("event", .left), ("payload", .left)])
    table.add([("7", nil), ("flip", nil), ("{}", nil)])
    table.add([("1042", nil), ("tapped", nil), ("a\tb", .bad)])
    #expect(table.lines(on: terminal()) == ["   7  flip    {}", "1042  tapped  a\\u{9}b"])
    #expect(table.lines(on: terminal(columns: 16)) == ["   7  flip    {}", "1042  tapped  a…"])
    #expect(table.lines(on: terminal(color: true))[1].hasSuffix("\u{1B}[31ma\\u{9}b\u{1B}[0m"))
    #expect(table.lines(on: terminal(reads: true))[0] == " seq  event   payload")
  }

  @Test("shows colors where they are wanted")
  func colors() {
    #expect(Terminal.wantsColor(isTerminal: true, [:]))
    #expect(!Terminal.wantsColor(isTerminal: true, ["NO_COLOR": "1"]))
    #expect(!Terminal.wantsColor(isTerminal: true, ["TERM": "dumb"]))
    #expect(!Terminal.wantsColor(isTerminal: false, [:]))
    #expect(Terminal.wantsColor(isTerminal: false, ["CLICOLOR_FORCE": "1"]))
  }
}
