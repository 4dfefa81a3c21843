import JSONCore
import Testing

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
