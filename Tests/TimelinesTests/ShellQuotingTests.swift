import TestSupport
import Testing
import Timelines

@Suite("words of a shell")
struct ShellQuotingTests {
  @Test(
    "reach a program as they are",
    arguments: [
      "/tmp/plain-1.0_x", "/tmp/two words", "it's", "''", "$(touch /tmp/owned)", "`id`", "a\nb",
      "\\",
      "", "~", "*", "a;b&c|d>e", "\"x\"", "é…",
    ])
  func words(text: String) throws {
    #expect(try Shell.run("[ x\(text.shellWord) = \"x$1\" ]", text) == 0, "\(text.shellWord)")
    let quoted = text.inSingleQuotes
    #expect(try Shell.run("[ x\(quoted) = \"x$1\" ]", text) == 0, "\(quoted)")
  }
}
