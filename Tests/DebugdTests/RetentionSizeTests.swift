import Foundation
import Testing

@testable import debugd

@Suite("Sizes to keep")
struct RetentionSizeTests {
  /// What parsing `serve` with such words and such an environment configures.
  private func serve(
    _ words: [String], _ environment: [String: String] = [:]
  ) throws -> ServeSettings {
    let environment = environment.merging(["HOME": "/nowhere"]) { given, _ in given }
    let parser = ArgumentParser(commands: CommandTable.all)
    guard case .run(let arguments) = try parser.parse(["serve"] + words, environment: environment)
    else { throw ArgumentError("not a command", command: "serve") }
    let settings = try ServeSettings(arguments, environment)
    _ = try settings.configuration()
    return settings
  }

  private func prune(_ size: String) throws -> Int64? {
    let parser = ArgumentParser(commands: CommandTable.all)
    guard case .run(let arguments) = try parser.parse(["prune", "--bytes", size], environment: [:])
    else { return nil }
    return try arguments.prunedBytes()
  }

  @Test(
    "serve refuses to keep next to nothing",
    arguments: [
      ("20", "add a unit, such as 20G."), ("999999", "add a unit, such as 999999G."),
      ("0", "name at least 1M."), ("20k", "name at least 1M."),
    ])
  func refused(size: String, remedy: String) throws {
    let sentence = "--retain-bytes \(size) would keep next to nothing. To fix, \(remedy)"
    let option = #expect(throws: ArgumentError.self) { try serve(["--retain-bytes", size]) }
    #expect(option?.description == sentence)
    let variable = #expect(throws: ArgumentError.self) {
      try serve([], ["DEBUGD_RETAIN_BYTES": size])
    }
    #expect(variable?.description == sentence)

    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).config")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("retain-bytes = \(size)\n".utf8).write(to: file)
    let setting = #expect(throws: ArgumentError.self) { try serve(["--config", file.path]) }
    #expect(setting?.description == sentence)
  }

  @Test(
    "serve keeps what has a unit, or many digits", arguments: ["1M", "20G", "1000000", "500000k"])
  func kept(size: String) throws {
    _ = try serve(["--retain-bytes", size])
  }

  @Test("prune refuses a few bytes without a unit")
  func pruning() throws {
    let error = #expect(throws: ArgumentError.self) { try prune("20") }
    #expect(
      error?.description
        == "--bytes 20 would keep next to nothing. To fix, add a unit, such as 20G.")
    #expect(try prune("0") == 0)
    #expect(try prune("20k") == 20_000)
    #expect(try prune("2000000") == 2_000_000)
  }
}
