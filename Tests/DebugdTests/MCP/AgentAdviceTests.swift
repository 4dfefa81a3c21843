import JSONCore
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("Advice to an agent")
struct AgentAdviceTests {
  private static let messages: [(String, String)] = [
    (
      "There is no timeline 1. 'debugd list' shows them all.",
      "There is no timeline 1. To list them, call timelines."
    ),
    (
      "It is not live. To see live machines, run: debugd list --live --data '/a b'",
      "It is not live. To see live machines, call timelines with live=true"
    ),
    (
      "To fix, try again. To see how far it is, run: debugd show 6f1c9a52 --data /d",
      "To fix, try again. To see how far it is, call timelines"
    ),
    (
      "To see where a part of it holds, run: debugd find 6f1c9a52 'PART'",
      "To see where a part of it holds, call find with that part"
    ),
    (
      "There is no filter 'x'. To see all, run: debugd filters 6f1c9a52",
      "There is no filter 'x'. To see all, ask the user to run: debugd filters 6f1c9a52"
    ),
    (
      "To fix, give the daemon the executable that makes it: debugd host PATH",
      "To fix, ask the user to give the daemon the executable that makes it: debugd host PATH"
    ),
    (
      "To see the difference, run: debugd verify 6f1c9a52 --data '/a b'",
      "To see the difference, call verify"
    ),
    (
      "No daemon is running. Ask the user to run: debugd serve",
      "No daemon is running. Ask the user to run: debugd serve"
    ),
  ]

  @Test(
    "is to call a tool where one does it, or to ask the user",
    arguments: messages)
  func message(text: String, expected: String) {
    #expect(AgentAdvice.adapted(text) == expected)
  }

  @Test("is changed in notes and messages, but not in recorded text")
  func reply() {
    let text: JSON = "To see all, run: debugd filters 1"
    let adapted: JSON = "To see all, ask the user to run: debugd filters 1"
    #expect(
      AgentAdvice.adapted(["note": text, "message": text, "value": text] as JSON)
        == ["note": adapted, "message": adapted, "value": text])
  }

  private static let terminal = "To see all, run: debugd filters 6f1c9a52"
  private static let adapted: JSON = "To see all, ask the user to run: debugd filters 6f1c9a52"

  @Test("is changed in what an explanation lacks")
  func explanation() async throws {
    let daemon = try SilentDaemon(hasEntries: true) {
      guard case .explain = $0 else { return nil }
      return .explain(ToInspector.Explain { $0.missing = [Self.terminal, "It is cut."] })
    }
    let reply = try await reply(of: "explain", from: daemon)
    #expect(reply["missing"] == [Self.adapted, "It is cut."])
  }

  @Test("is changed in the problems of an exploration, but not in what the app says")
  func exploration() async throws {
    let daemon = try SilentDaemon(hasEntries: true) {
      guard case .explore = $0 else { return nil }
      let finding = ToInspector.ExploreFinding {
        $0.cause = .error
        $0.message = Self.terminal
        $0.problem = Self.terminal
      }
      return .explore(
        ToInspector.Explore {
          $0.end = .failed
          $0.problem = Self.terminal
          $0.findings = [finding]
          $0.missing = [Self.terminal]
        })
    }
    let reply = try await reply(of: "explore", from: daemon)
    #expect(reply["problem"] == Self.adapted)
    #expect(reply["findings"]?[0]?["problem"] == Self.adapted)
    #expect(reply["findings"]?[0]?["message"] == .string(Self.terminal))
    #expect(reply["missing"] == [.string(Self.terminal)], "these are names of events")
  }

  @Test("is changed in the problem of a host")
  func host() async throws {
    let daemon = try SilentDaemon(hasEntries: true) {
      switch $0 {
      case .host: return .done(ToInspector.Done())
      case .hosts:
        return .hosts(
          ToInspector.Hosts { $0.hosts = [ToInspector.HostSummary { $0.problem = Self.terminal }] })
      default: return nil
      }
    }
    let reply = try await reply(of: "add_host", ["executable": "/app"], from: daemon)
    #expect(reply["hosts"]?[0]?["problem"] == Self.adapted)
  }

  @Test(
    "for what a difference leaves out is to pass 'max_bytes' only if a longer reply is possible",
    arguments: [
      (2048, "pass 'path' or 'max_bytes'."), (ReplyBudget.range.upperBound, "pass 'path'."),
    ])
  func difference(bytes: Int64, way: String) async throws {
    let change: JSON = [
      "op": "add", "path": "/a", "value": .string(String(repeating: "a", count: 900)),
    ]
    let patch = try JSONSlice(
      validating: JSON.array(Array(repeating: change, count: 4_000)).encoded())
    let daemon = try SilentDaemon(hasEntries: true) {
      guard case .diff = $0 else { return nil }
      return .diff(ToInspector.Diff { $0.patch = patch })
    }
    let reply = try await reply(
      of: "diff", ["a": 1, "b": 2, "max_bytes": .count(bytes)], from: daemon)
    let shown = reply["changes"]?.array?.count ?? 0
    #expect(reply["note"] == .string("\(4_000 - shown) more changes. To see them, \(way)"))
  }

  @Test("for a difference in a verification is not to pass a path")
  func verification() async throws {
    let change: JSON = [
      "op": "add", "path": "/a", "value": .string(String(repeating: "a", count: 900)),
    ]
    let patch = try JSONSlice(
      validating: JSON.array(Array(repeating: change, count: 4_000)).encoded())
    let daemon = try SilentDaemon(hasEntries: true) {
      guard case .verify = $0 else { return nil }
      return .verify(
        ToInspector.Verify {
          $0.outcome = .differs
          $0.patch = patch
        })
    }
    for (bytes, way) in [
      (2048, " To see them, pass 'max_bytes'."), (ReplyBudget.range.upperBound, ""),
    ] {
      let reply = try await reply(of: "verify", ["max_bytes": .count(bytes)], from: daemon)
      let shown = reply["patch"]?["changes"]?.array?.count ?? 0
      #expect(reply["patch"]?["note"] == .string("\(4_000 - shown) more changes.\(way)"))
    }
  }

  private func reply(
    of tool: String, _ arguments: JSON.Object = [:], from daemon: SilentDaemon
  ) async throws -> JSON {
    var agent = try TestAgent(daemon)
    var arguments = arguments
    if tool != "add_host" { arguments["timeline"] = .string(SilentDaemon.recording.text) }
    await agent.call(tool, arguments)
    let reply = await agent.reply()
    await agent.end()
    #expect(!reply.isError, "\(reply.text)")
    return try JSON(parsing: Array(reply.text.utf8))
  }

  @Test("is to pass 'max_bytes' only where that is possible")
  func size() {
    let reply: JSON = ["text": .string(String(repeating: "a", count: 400_000))]
    let largest = Int(ReplyBudget.range.upperBound)
    #expect(
      ReplyBudget.fit(reply, to: 2048)["note"] == "The reply is cut; pass 'max_bytes' for more.")
    #expect(ReplyBudget.fit(reply, to: 2048, canGrow: false)["note"] == "The reply is cut.")
    #expect(ReplyBudget.fit(reply, to: largest)["note"] == "The reply is cut.")
    #expect(AgentTool.all.filter { !$0.hasSizeOption }.map(\.name) == ["dispatch", "add_host"])
  }
}
