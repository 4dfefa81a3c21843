import Testing

@testable import debugd

@Suite("Words of other tools")
struct OtherWordsTests {
  @Test("lead to commands and options that exist")
  func exist() throws {
    let parser = ArgumentParser(commands: CommandTable.all)
    let words = [
      "ls", "start", "log", "skip", "edit", "insert", "move", "replay", "test", "search", "filter",
      "who", "why", "reduce", "pause", "continue", "send", "rm", "mv", "load", "save", "page",
    ]
    for word in words {
      let sentence = try #require(OtherWords.sentence(forCommand: word), "\(word)")
      let meant = sentence.dropFirst("Did you mean '".count).dropLast(2).split(separator: " ")
      let command = try parser.command(named: String(try #require(meant.first)))
      if meant.count > 1 { #expect(command.option(named: String(meant[1].dropFirst(2))) != nil) }
    }
    #expect(OtherWords.sentence(forCommand: "sate") == nil)
  }

  @Test("are not words that a command has")
  func taken() {
    for command in CommandTable.all {
      #expect(OtherWords.sentence(forCommand: command.name) == nil)
      for option in command.options {
        #expect(OtherWords.option(for: option.name, of: command) == nil || option.name == "look")
      }
    }
  }

  @Test(
    "name the option of the command",
    arguments: [
      (["fork", "coin", "--skip", "3"], "fork has no option '--skip'. Did you mean '--drop'?"),
      (
        ["entries", "coin", "--last", "3"],
        "entries has no option '--last'. Did you mean '--count'?"
      ),
      (
        ["changes", "coin", "x", "--last", "3"],
        "changes has no option '--last'. Did you mean '--limit'?"
      ),
      (
        ["minimize", "coin", "--predicate", "x"],
        "minimize has no option '--predicate'. Did you mean '--until'?"
      ),
      (
        ["export", "coin", "--format", "csv"],
        "export has no option '--format'. Did you mean '--as'?"
      ),
      (
        ["export", "coin", "a.timeline"],
        "export takes no further argument, so remove 'a.timeline', or write -o before it."
      ),
      (
        ["export", "coin", "a", "-o", "b"], "export takes no further argument, so remove 'a'."
      ),
    ])
  func options(_ words: [String], _ sentence: String) {
    let parser = ArgumentParser(commands: CommandTable.all)
    do {
      _ = try parser.parse(words)
      Issue.record("it was understood")
    } catch {
      #expect(error.description == sentence)
    }
  }
}
