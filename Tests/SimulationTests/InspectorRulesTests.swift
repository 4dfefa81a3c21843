import JSONCore
import Testing

@testable import Simulation

/// The reading of an inspector's connection finds requests that fail without a fault.
struct InspectorRulesTests {
  private func message(_ text: String) throws -> JSONSlice {
    try JSONSlice(validating: Array(text.utf8))
  }

  /// What is wrong with an error that answers a request.
  private func problem(
    _ request: String, code: String, isQuiet: Bool, hasHost: Bool = true
  ) throws -> String? {
    var rules = InspectorRules(isQuiet: isQuiet)
    let messages = [#"{"type":"hello"}"#, #"{"type":"\#(request)","id":1,"timeline":"t"}"#]
    #expect(rules.fromInspector(try message(messages[0])) == nil)
    #expect(rules.fromDaemon(try message(#"{"type":"welcome"}"#)) { _ in hasHost } == nil)
    #expect(rules.fromInspector(try message(messages[1])) == nil)
    let error = try message(#"{"type":"error","re":1,"code":"\#(code)"}"#)
    return rules.fromDaemon(error) { timeline in timeline == "t" && hasHost }
  }

  @Test("a request that fails without a fault is found", arguments: ["state", "entries", "fork"])
  func failure(_ request: String) throws {
    #expect(
      try problem(request, code: "failed", isQuiet: true) == "'\(request)' fails without a fault")
    #expect(try problem(request, code: "failed", isQuiet: false) == nil)
    #expect(try problem("hold", code: "failed", isQuiet: true) == nil)
  }

  @Test("a fork may fail for want of a host only where there is none")
  func noHost() throws {
    #expect(
      try problem("fork", code: "no-host", isQuiet: true) == "'fork' fails without a fault")
    #expect(try problem("fork", code: "no-host", isQuiet: true, hasHost: false) == nil)
    #expect(
      try problem("state", code: "no-host", isQuiet: true, hasHost: false)
        == "'state' fails without a fault")
  }

  @Test("a request may be superseded only by a later one of its slot", arguments: [1, 2])
  func superseded(_ id: Int) throws {
    var rules = InspectorRules(isQuiet: true)
    _ = rules.fromInspector(try message(#"{"type":"hello"}"#))
    _ = rules.fromDaemon(try message(#"{"type":"welcome"}"#)) { _ in true }
    for id in 1...2 {
      _ = rules.fromInspector(try message(#"{"type":"state","id":\#(id),"slot":"cursor"}"#))
    }
    let error = try message(#"{"type":"error","re":\#(id),"code":"superseded"}"#)
    #expect(
      rules.fromDaemon(error) { _ in true } == (id == 1 ? nil : "'state' fails without a fault"))
  }

  @Test("a branch that fails after its answer is found")
  func branch() throws {
    var rules = InspectorRules(isQuiet: true)
    _ = rules.fromInspector(try message(#"{"type":"hello"}"#))
    _ = rules.fromDaemon(try message(#"{"type":"welcome"}"#)) { _ in true }
    _ = rules.fromInspector(try message(#"{"type":"fork","id":1,"timeline":"t"}"#))
    #expect(rules.fromDaemon(try message(#"{"type":"fork","re":1}"#)) { _ in true } == nil)
    #expect(
      rules.fromDaemon(try message(#"{"type":"error","re":1}"#)) { _ in true }
        == "the branch of 1 fails without a fault")
  }
}
