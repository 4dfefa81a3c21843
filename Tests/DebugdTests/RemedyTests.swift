import Foundation
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("What debugd advises")
struct DebugdRemedyTests {
  private static let branch =
    TimelineID("0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a") ?? .random()

  @Test(
    "about a branch that ends early",
    arguments: [
      (
        BranchEnd.gap,
        """
        To go on after the loss, start with a state that is known there: --start SEQ.
        """
      ),
      (
        .trap,
        """
        To fix, correct the reducer, rebuild the host, and run 'debugd fork 0b9f3c52 --again'; or \
        leave that event out.
        """
      ),
      (
        .limit,
        """
        To fix, see --host-time and --host-memory of 'debugd serve', or leave that event out.
        """
      ),
      (
        .undecodable,
        """
        To fix, replace it or leave it out; or start a host that knows it and run 'debugd fork \
        0b9f3c52 --again'.
        """
      ),
      (
        .canceled,
        """
        its computation was canceled. To compute it again, run: debugd fork 0b9f3c52 --again
        """
      ),
      (.failed, "To fix, look at 'debugd hosts' and at the daemon's log."),
    ])
  func story(end: BranchEnd, advice: String) {
    #expect(end.story(of: Self.branch).hasSuffix(advice), "\(end.story(of: Self.branch))")
  }

  @Test(
    "about what a check found",
    arguments: [
      ([], "all is well"),
      (
        [.recorder],
        "the database is intact; to fix, correct the recorder or host that sent these entries"
      ),
      (
        [.recorder, .storage],
        """
        to save what can be read, stop the daemon if it is running, and run: debugd recover --data /d
        """
      ),
    ] as [([FindingOrigin], String)])
  func check(origins: [FindingOrigin], advice: String) throws {
    let answer = ToInspector.Check { check in
      check.findings = origins.map { origin in
        ToInspector.Finding { $0.origin = origin }
      }
    }
    let arguments = ParsedArguments(
      command: CommandSpec.check, operands: [], values: ["data": ["/d"]])
    #expect(try CommandSpec.verdict(answer, arguments) == advice)
  }

  @Test("about a database that other programs back up")
  func checkOfDatabase() throws {
    let folder = NSTemporaryDirectory() + "/" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("a\nhost=db\n".utf8).write(to: URL(fileURLWithPath: folder + "/database"))
    let answer = ToInspector.Check { check in
      check.findings = [ToInspector.Finding { $0.origin = .storage }]
    }
    let arguments = ParsedArguments(
      command: CommandSpec.check, operands: [], values: ["data": [folder]])
    #expect(
      try CommandSpec.verdict(answer, arguments)
        == "to fix, restore the PostgreSQL database from its own backup")
  }

  @Test("where nothing says where the data is")
  func noHome() throws {
    let spec = try #require(CommandTable.all.first { $0.name == "list" })
    let arguments = ParsedArguments(command: spec, operands: [], values: [:])
    let error = #expect(throws: CommandError.self) { try ServeSettings.data(arguments, [:]) }
    #expect(
      error?.description
        == "There is no home directory. To fix, say where the data is: --data FOLDER.")
    let named = ParsedArguments(command: spec, operands: [], values: ["data": ["/my data"]])
    #expect(try ServeSettings.data(named, [:]) == "/my data")
  }

  @Test("the daemon to start is that of the data which a command names")
  func start() throws {
    let spec = try #require(CommandTable.all.first { $0.name == "list" })
    func start(_ values: [String: [String]]) -> String {
      ServeSettings.start(ParsedArguments(command: spec, operands: [], values: values))
    }
    #expect(start([:]) == "debugd serve")
    #expect(start(["data": ["/srv/data"]]) == "debugd serve --data /srv/data")
    #expect(start(["data": ["/my data"]]) == "debugd serve --data '/my data'")
  }
}
