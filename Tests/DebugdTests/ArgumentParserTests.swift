import Testing

@testable import debugd

@Suite("the command line")
struct ArgumentParserTests {
  private let parser = ArgumentParser(commands: [
    CommandSpec(
      name: "serve", summary: "serve",
      options: [
        .value("port", "p", "PORT", "the port", environment: "PORT"), .flag("json", nil, "as JSON"),
      ]
    ) { _, _ in .done },
    CommandSpec(
      name: "state", summary: "show a state",
      operands: [.timeline, Operand(name: "SEQ", summary: "its number", isOptional: true)],
      options: [
        .flag("json", "j", "as JSON"), .value("path", nil, "POINTER", "a path", repeats: true),
        .value("by", nil, "WORD", "what", choices: ["seq", "time"]),
        .value("count", "n", "N", "how many").called("limit"),
      ]
    ) { _, _ in .done },
  ])

  private func parse(
    _ words: String..., environment: [String: String] = [:]
  ) throws -> ParsedArguments {
    guard case .run(let parsed) = try parser.parse(words, environment: environment) else {
      throw ArgumentError("not a call")
    }
    return parsed
  }

  @Test("takes options before, between and after operands")
  func order() throws {
    for words in [
      ["state", "--path", "/a", "coin", "-j", "7"], ["state", "coin", "7", "--json", "--path=/a"],
    ] {
      guard case .run(let parsed) = try parser.parse(words) else { return #expect(Bool(false)) }
      #expect(parsed.operands == ["coin", "7"])
      #expect(parsed.value("path") == "/a")
      #expect(parsed.has("json"))
      #expect(try parsed.seq(at: 1) == 7)
    }
  }

  @Test("takes an option by the name that similar commands give it")
  func aliases() throws {
    for words in [["--limit", "2"], ["--limit=2"], ["--count", "2"], ["-n", "2"]] {
      guard case .run(let parsed) = try parser.parse(["state", "coin"] + words) else {
        return #expect(Bool(false))
      }
      #expect(parsed.value("count") == "2")
    }
    #expect(throws: ArgumentError.self) { try parse("state", "coin", "--limit", "2", "-n", "3") }
  }

  @Test("serves when no command is named, and takes its options")
  func first() throws {
    #expect(try parse().command.name == "serve")
    #expect(try parse("--port", "1").value("port") == "1")
  }

  @Test("takes from the environment what the line does not say")
  func environment() throws {
    #expect(try parse(environment: ["PORT": "9"]).value("port") == "9")
    #expect(try parse("-p8", environment: ["PORT": "9"]).value("port") == "8")
  }

  @Test("ends options at two hyphens")
  func end() throws {
    #expect(try parse("state", "--", "--json", "-1").operands == ["--json", "-1"])
  }

  @Test(
    "reports the error, with a suggestion",
    arguments: [
      (["sate", "x"], "debugd has no command 'sate'. Did you mean 'state'?"),
      (
        ["state"],
        "state needs TIMELINE: a machine's name, an id, the beginning of an id, or 'last' for the newest recording."
      ),
      (["serve", "extra"], "serve takes only options, so remove 'extra'."),
      (["state", "a", "1", "2"], "state takes no further argument, so remove '2'."),
      (["state", "a", "--jsn"], "state has no option '--jsn'. Did you mean '--json'?"),
      (["ls"], "debugd has no command 'ls'. Did you mean 'list'?"),
      (["Skip", "coin", "1"], "debugd has no command 'Skip'. Did you mean 'fork --drop'?"),
      (["stop"], "debugd has no command 'stop'. The daemon ends at Ctrl-C where it runs."),
      (
        ["record"],
        "debugd has no command 'record'. Apps record themselves: they link Recorder, and find the daemon."
      ),
      (["state", "a", "--skip", "1"], "state has no option '--skip'."),
      (
        ["state", "a", "-1"],
        "state has no option '-1'. Entries are numbered from 0, and the last one is 'last'."
      ),
      (["state", "a", "-x1"], "state has no option '-x'."),
      (["state", "a", "--path"], "--path needs a value: --path POINTER"),
      (["state", "a", "--json=1"], "--json takes no value."),
      (["state", "a", "--by", "tim"], "--by is one of seq, time, not 'tim'. Did you mean 'time'?"),
      (["--port", "1", "--port", "2"], "--port was given twice."),
      (
        ["state", "a\u{1B}[31m", "1", "\u{202E}"],
        "state takes no further argument, so remove '\\u{202e}'."
      ),
    ])
  func mistakes(_ words: [String], _ sentence: String) {
    #expect(throws: ArgumentError.self) { try parser.parse(words) }
    do { _ = try parser.parse(words) } catch { #expect(error.description == sentence) }
  }

  @Test("refuses invalid numbers", arguments: ["x", "1.5", "99999999999999999999", ""])
  func numbers(_ text: String) throws {
    let parsed = try parse("state", "a", text)
    #expect(throws: ArgumentError.self) { try parsed.seq(at: 1) }
  }

  @Test("finds typos and nothing else")
  func suggestions() {
    let words = ["entries", "export", "state"]
    #expect(Suggestion.nearest(to: "entires", among: words) == "entries")
    #expect(Suggestion.nearest(to: "exp", among: words) == "export")
    #expect(Suggestion.nearest(to: "banana", among: words) == nil)
    #expect(Suggestion.distance("ab", "ba") == 1)
    #expect(Suggestion.distance("", "abc") == 3)
  }
}
