import JSONCore
import Testing
import Timelines

@testable import debugd

@Suite("events on the command line")
struct EventTextTests {
  private static let keyed = EventSchema(
    type: "App.Event", encoding: .keyed, isComplete: true,
    cases: [
      .init(name: "flipped"),
      .init(name: "deposit", payload: [.init(key: "amount", shape: .scalar(.int, type: "Int"))]),
    ])
  private static let raw = EventSchema(
    type: "App.Event", encoding: .raw, isComplete: true,
    cases: [.init(name: "flipped"), .init(name: "thrown")])
  private static let learnt = EventSchema(cases: [.init(name: "flipped")])

  private func event(_ text: String, _ schema: EventSchema?) throws -> String {
    let parser = ArgumentParser(commands: CommandTable.all)
    guard case .run(let parsed) = try parser.parse(["dispatch", "coin", text], environment: [:])
    else { throw ArgumentError("not a call") }
    return try EventText(text, parsed).event(schema).text
  }

  @Test("a word is a case as the recorded schema writes it")
  func words() throws {
    #expect(try event("flipped", Self.keyed) == #"{"flipped":{}}"#)
    #expect(try event("flipped", Self.raw) == #""flipped""#)
    #expect(try event("flipped", nil) == #"{"flipped":{}}"#)
    #expect(try event("thrown", Self.learnt) == #"{"thrown":{}}"#, "not all cases are known")
    #expect(try event(#""flipped""#, Self.keyed) == #"{"flipped":{}}"#)
    #expect(try event(#""flipped""#, Self.raw) == #""flipped""#)
    #expect(try event(#""flipped""#, nil) == #""flipped""#)
    #expect(try event(#"{"deposit":{"amount":5}}"#, Self.keyed) == #"{"deposit":{"amount":5}}"#)
  }

  @Test("a case without payload is sent as its sample where the type's own code writes it")
  func samples() throws {
    let custom = EventSchema(
      type: "App.Event", encoding: .custom, isComplete: true,
      cases: [
        .init(name: "tick", samples: ["tick"]), .init(name: "stop", samples: [["is": "stop"]]),
        .init(name: "unseen"),
      ])
    #expect(try event("tick", custom) == #""tick""#)
    #expect(try event("stop", custom) == #"{"is":"stop"}"#)
    #expect(try event("unseen", custom) == #"{"unseen":{}}"#)
  }

  @Test(
    "unknown cases are refused, with a suggestion",
    arguments: [
      ("fliped", "The machine has no event 'fliped'. Did you mean 'flipped'?"),
      ("jumped", "The machine has no event 'jumped'. It has flipped, deposit."),
      ("deposit", #"'deposit' has a payload. Write it as '{"deposit":{"amount":…}}'."#),
      (#""deposit""#, #"'deposit' has a payload. Write it as '{"deposit":{"amount":…}}'."#),
      (#"{"depositt":{}}"#, "The machine has no event 'depositt'. Did you mean 'deposit'?"),
    ])
  func refused(text: String, sentence: String) {
    do {
      _ = try event(text, Self.keyed)
      Issue.record("it was taken")
    } catch {
      #expect("\(error)" == sentence)
    }
  }
}
