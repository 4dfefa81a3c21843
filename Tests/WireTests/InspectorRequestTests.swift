import Foundation
import TestSupport
import Testing

@testable import Wire

@Suite("Requests of inspectors")
struct InspectorRequestTests {
  private static let names = MessageFixtures.names.filter { $0.hasPrefix("from-inspector.") }

  private static func message(_ name: String) throws -> FromInspector {
    let bytes = try MessageFixtures.bytes(name)
    return try Envelope<FromInspector>(
      reading: bytes, maxMessage: ProtocolLimits().recorderMessage
    ).body
  }

  @Test("are all messages with an answer", arguments: names)
  func completeness(name: String) throws {
    let message = try Self.message(name)
    let isRequest = type(of: message.message).role == .request
    let request = message.message as? any InspectorRequest
    #expect((request != nil) == isRequest)
    guard let request else { return }
    #expect(type(of: request.body.message) == type(of: message.message))
  }

  @Test("have the answers that the page expects")
  func replies() throws {
    var expected: [String: String] = [:]
    let file = repositoryRoot.appending(path: "web/wire/requests.js")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if let match = line.firstMatch(of: /@property \{Message<"(\w+)">.*\} (\w+)$/) {
        expected[String(match.2)] = String(match.1)
      } else if line.contains("@property {Overview} overview") {
        expected["overview"] = "a binary frame"
      } else if let match = line.firstMatch(of: /\{ "(\w+)": Message<"(\w+)"> \}\} Replies/) {
        expected[String(match.1)] = String(match.2)
      }
    }
    var declared: [String: String] = [:]
    for name in Self.names {
      guard let request = try Self.message(name).message as? any InspectorRequest else { continue }
      declared[type(of: request).type] = Self.reply(to: request)
    }
    #expect(declared == expected)
  }

  private static func reply<R: InspectorRequest>(to request: R) -> String {
    (R.Reply.self as? any Message.Type)?.type ?? "a binary frame"
  }

  @Test("need the capabilities that the protocol's document lists")
  func capabilities() throws {
    let document = try String(
      contentsOf: repositoryRoot.appending(path: "docs/protocol.md"), encoding: .utf8)
    let sentence = try #require(document.firstMatch(of: /\*change\* is required for .*/)?.output)
    let clauses = sentence.split(separator: ";")
    func types(_ clause: Substring) -> Set<String> {
      Set(clause.matches(of: /`(\w+)`/).map { String($0.1) })
    }
    // "and for everything that runs an app's code: … `state` with `compute`, `compare` without `with`"
    let change = types(clauses[0]).subtracting(["state", "compare", "with", "export"])
    for name in Self.names {
      let message = try Self.message(name)
      let type = Swift.type(of: message.message).type
      guard !["state", "compare", "export"].contains(type) else { continue }
      let expected: Capability =
        change.contains(type)
        ? .change
        : types(clauses[1]).contains(type)
          ? .control
          : types(clauses[2]).contains(type)
            ? .host : types(clauses[3]).contains(type) ? .push : .look
      #expect(message.capability == expected, "\(type)")
      #expect(message.isCommand == (expected == .control), "\(type)")
    }
    var state = FromInspector.State()
    #expect(state.capability == .look)
    state.compute = true
    #expect(state.capability == .change)
    var compare = FromInspector.Compare()
    #expect(compare.capability == .change)
    compare.with = .zero
    #expect(compare.capability == .look)
    compare.host = "other"
    #expect(compare.capability == .change)
    var export = FromInspector.Export()
    #expect(export.capability == .look)
    export.whatIf = 3
    #expect(export.capability == .change)
  }
}
