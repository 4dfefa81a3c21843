import JSONCore
import Testing

@testable import debugd

@Suite("A conversation with a coding agent")
struct MCPSessionTests {
  private var session = MCPSession(instructions: "look")

  private static let perRequest =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#

  private mutating func reply(_ line: String) throws -> JSON {
    guard case .send(let reply)? = session.receive(Array(line.utf8)) else {
      throw Unexpected()
    }
    return reply
  }

  private struct Unexpected: Error {}

  @Test("begins with initialize in the older generation")
  mutating func handshake() throws {
    let reply = try reply(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#)
    #expect(reply["id"] == 1)
    #expect(reply["result"]?["protocolVersion"] == "2025-06-18")
    #expect(reply["result"]?["capabilities"] == ["tools": ["listChanged": true]])
    #expect(reply["result"]?["instructions"] == "look")
    #expect(reply["result"]?["resultType"] == nil)
    #expect(!session.isNotified)
    let began = session.receive(
      Array(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.utf8))
    #expect(began == nil)
    #expect(session.isNotified)
  }

  @Test(
    "answers an unknown revision, and the one with batches, with the newest that begins with initialize",
    arguments: ["1999-01-01", "2025-03-26"])
  mutating func unknownRevision(revision: String) throws {
    let reply = try reply(
      #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(revision)"}}"#
    )
    #expect(reply["result"]?["protocolVersion"] == "2025-11-25")
  }

  @Test("needs no beginning where each request names the revision")
  mutating func perRequest() throws {
    let reply = try reply(
      #"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{\#(Self.perRequest)}}"#)
    let result = try #require(reply["result"])
    #expect(result["supportedVersions"] == ["2026-07-28"])
    #expect(result["resultType"] == "complete")
    #expect(result["ttlMs"] == 0)
    #expect(result["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "stateline")
    #expect(!session.isNotified)
  }

  @Test("refuses a revision that it does not speak, and names the one that it does")
  mutating func unsupportedRevision() throws {
    let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2031-01-01"}"#
    let reply = try reply(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{\#(meta)}}"#)
    #expect(reply["error"]?["code"] == -32022)
    #expect(reply["error"]?["data"] == ["supported": ["2026-07-28"], "requested": "2031-01-01"])
  }

  @Test(
    "refuses what is not a request, with the code of JSON-RPC",
    arguments: [
      ("{", -32700), ("[]", -32600), (#"{"id":1,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1}"#, -32600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
      (#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":1,"method":"x","params":{PER}}"#, -32601),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{PER}}"#, -32602),
      (
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{PER,"name":"a","arguments":[]}}"#,
        -32602
      ),
    ] as [(String, Int64)])
  mutating func refusals(line: String, code: Int64) throws {
    let text = line.split(separator: "PER", omittingEmptySubsequences: false)
      .joined(separator: Self.perRequest)
    #expect(try reply(text)["error"]?["code"] == .count(code))
  }

  @Test("passes calls and cancellations on")
  mutating func calls() throws {
    let call =
      #"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{\#(Self.perRequest),"name":"find","arguments":{"limit":2}}}"#
    guard case .call(let pending, "find", let arguments)? = session.receive(Array(call.utf8)) else {
      Issue.record("no call")
      return
    }
    #expect(arguments["limit"] == 2)
    let answer = session.answer(pending, "{}", isError: false)
    #expect(answer["result"]?["content"] == [["type": "text", "text": "{}"]])
    #expect(answer["result"]?["resultType"] == "complete")
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}"#
    guard case .cancel(id: 9)? = session.receive(Array(cancel.utf8)) else {
      Issue.record("no cancellation")
      return
    }
  }
}

@Suite("Lines of a client")
struct LineReaderTests {
  @Test("are put together from pieces, and blank ones are left out")
  func pieces() {
    var reader = LineReader(maximumBytes: 10)
    #expect(reader.lines(adding: Array("ab".utf8)) == [])
    #expect(
      reader.lines(adding: Array("c\n\r\n\nde\nf".utf8)) == [Array("abc".utf8), Array("de".utf8)])
    #expect(reader.lines(adding: Array("\n".utf8)) == [Array("f".utf8)])
  }

  @Test("end the conversation when one is too long, even without its end")
  func tooLong() {
    var reader = LineReader(maximumBytes: 4)
    #expect(reader.lines(adding: Array("12345".utf8)) == nil)
    var whole = LineReader(maximumBytes: 4)
    #expect(whole.lines(adding: Array("12345\n".utf8)) == nil)
  }
}
