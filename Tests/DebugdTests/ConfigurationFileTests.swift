import Testing

@testable import debugd

@Suite("the configuration file")
struct ConfigurationFileTests {
  private let options: [OptionSpec] = [
    .value("listen", nil, "ADDRESS", "where", repeats: true, isConfigurable: true),
    .value("level", nil, "LEVEL", "how much", choices: ["info", "debug"], isConfigurable: true),
    .flag("insecure", nil, "without TLS", isConfigurable: true),
    .flag("json", nil, "not for a file"),
  ]

  @Test("has a setting a line, with comments")
  func settings() throws {
    let file = try ConfigurationFile(
      reading: "# where\nlisten = a:1\r\n\n  listen=b:2 \ninsecure = yes\nlevel = debug",
      options: options)
    #expect(file.values == ["listen": ["a:1", "b:2"], "insecure": [], "level": ["debug"]])
  }

  @Test(
    "names the line that is wrong",
    arguments: [
      ("listen", "line 1: a setting is 'name = value', not 'listen'."),
      ("\nlisten =", "line 2: 'listen' has no value."),
      ("lisen = 1", "line 1: there is no setting 'lisen'. Did you mean 'listen'?"),
      ("json = true", "line 1: there is no setting 'json'."),
      ("insecure = maybe", "line 1: 'insecure' is true or false, not 'maybe'."),
      ("level = loud", "line 1: 'level' is one of info, debug, not 'loud'."),
      ("level = info\nlevel = info", "line 2: 'level' is there twice."),
    ])
  func problems(_ text: String, _ sentence: String) {
    do {
      _ = try ConfigurationFile(reading: text, options: options)
      Issue.record("nothing was wrong")
    } catch {
      #expect(error.description == sentence)
    }
  }
}
