import Foundation
import TestSupport
import Testing

@testable import debugd

@Suite("Files that name programs to start")
struct FileTrustTests {
  /// Why `serve` refuses a configuration file, or a link to it.
  private func refusal(
    of path: String, as user: uid_t = geteuid()
  ) throws -> String? {
    do {
      try FileTrust.check(try FileProblem.open(path), at: path, user: user)
      return nil
    } catch let error as CommandError {
      return error.description
    }
  }

  private func withFile(_ body: (_ folder: String, _ path: String) throws -> Void) throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    try Data("retain-age = 30d\n".utf8).write(to: URL(filePath: folder + "/config"))
    chmod(folder, 0o755)
    chmod(folder + "/config", 0o644)
    try body(folder, folder + "/config")
  }

  @Test("are used while others can only read them", arguments: [0o600, 0o640, 0o644] as [mode_t])
  func readable(mode: mode_t) throws {
    try withFile { (folder, path) throws in
      chmod(path, mode)
      #expect(try refusal(of: path) == nil)
      chmod(folder, 0o1777)
      #expect(try refusal(of: path) == nil, "no other user can replace a file in such a folder")
    }
  }

  @Test("are refused while others can write them", arguments: [0o620, 0o602, 0o666] as [mode_t])
  func writable(mode: mode_t) throws {
    try withFile { (_, path) throws in
      chmod(path, mode)
      #expect(
        try refusal(of: path) == """
          Other users can write to the configuration file, '\(path)', and make the daemon run any \
          program. To fix, check the file, and run: chmod go-w \(path)
          """)
      #expect(try Shell.run("chmod go-w $1", path) == 0)
      #expect(try refusal(of: path) == nil)
    }
  }

  @Test("are refused in a folder that others can write", arguments: [0o775, 0o757] as [mode_t])
  func folder(mode: mode_t) throws {
    try withFile { (folder, path) throws in
      chmod(folder, mode)
      #expect(
        try refusal(of: path) == """
          Other users can write to the folder of the configuration file, '\(folder)', and make the \
          daemon run any program. To fix, check the file, and run: chmod go-w \(folder)
          """)
      let link = try TemporaryFolder.make()
      defer { TemporaryFolder.remove(link) }
      symlink(path, link + "/config")
      #expect(try refusal(of: link + "/config")?.contains("'\(folder)'") == true)
    }
  }

  @Test("of another user are refused, and a copy of one's own is not")
  func foreign() throws {
    try withFile { (folder, path) throws in
      // Root's files are trusted, so a test that runs as root gives the file away.
      let user = geteuid() == 0 ? 0 : geteuid() + 1
      if user == 0 { chown(path, 65_534, 65_534) }
      let problem = try refusal(of: path, as: user)
      #expect(
        problem == """
          The configuration file, '\(path)', belongs to another user, who could make the daemon run \
          any program. To fix, copy the file into a folder of your own, check the copy, and pass it: \
          --config FILE
          """)
      guard user == 0 else { return }
      let own = try TemporaryFolder.make()
      defer { TemporaryFolder.remove(own) }
      #expect(try Shell.run("cp $1 $2", path, own + "/config") == 0)
      #expect(try refusal(of: own + "/config") == nil)
      chown(path, 0, 0)
      chown(folder, 65_534, 65_534)
      #expect(try refusal(of: path)?.contains("folder of the configuration file") == true)
    }
  }

  @Test("are checked when 'serve' reads its settings", arguments: [true, false])
  func settings(isNamed: Bool) throws {
    let home = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(home) }
    let folder = home + "/.config/debugd"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/config"
    try Data("host = /bin/false\n".utf8).write(to: URL(filePath: path))
    chmod(folder, 0o755)
    chmod(path, 0o666)
    let words = isNamed ? ["serve", "--config", path] : ["serve"]
    let environment = ["HOME": isNamed ? "/nowhere" : home]
    let parser = ArgumentParser(commands: CommandTable.all)
    guard case .run(let arguments) = try parser.parse(words, environment: environment) else {
      Issue.record("not a command")
      return
    }
    let error = #expect(throws: CommandError.self) { _ = try ServeSettings(arguments, environment) }
    #expect(error?.description.hasPrefix("Other users can write to the configuration file") == true)
    chmod(path, 0o600)
    #expect(try ServeSettings(arguments, environment).arguments.values["host"] == ["/bin/false"])
  }
}
