import StatesCore
import StatesTesting
import Testing

private struct Lamp: Reducible {
  private(set) var isOn = false
  enum Event { case pressed }
  static func reduce(state: Lamp, event: Event) -> Lamp { Lamp(isOn: !state.isOn) }
  static var outputs: Outputs<Lamp> { Output("color") { $0.isOn ? "white" : "black" } }
}

/// Imitates Quick: collects closures, runs the setup before each, and lets them throw.
private final class Spec {
  private var setUp: [() throws -> Void] = []
  private var examples: [(name: String, body: () throws -> Void)] = []

  func describe(_ name: String, _ body: () -> Void) { body() }
  func beforeEach(_ body: @escaping () throws -> Void) { setUp.append(body) }
  func it(_ name: String, _ body: @escaping () throws -> Void) { examples.append((name, body)) }

  func failures() -> [(name: String, error: any Error)] {
    examples.compactMap { example in
      do {
        for prepare in setUp { try prepare() }
        try example.body()
        return nil
      } catch {
        return (example.name, error)
      }
    }
  }
}

/// Imitates Nimble's function of the same name, whose subject takes a matcher.
private struct Subject<Value> {
  let value: Value?
  func to(_ matcher: (Value?) -> Bool) throws -> Bool { matcher(value) }
}

private func expect<Value>(_ value: @autoclosure () throws -> Value?) rethrows -> Subject<Value> {
  Subject(value: try value())
}

private func equal<Value: Equatable>(_ wanted: Value) -> (Value?) -> Bool { { $0 == wanted } }

@Suite("Expectations in the style of Quick")
struct QuickStyleExpectationTests {
  @Test("report place and history from an example, next to another `expect`")
  func spec() throws {
    let spec = Spec()
    var place = 0
    spec.describe("a lamp") {
      var state: Lamp!
      spec.beforeEach { state = Lamp() }
      spec.it("turns on") {
        try expect(state).after(.pressed).toTurn { $0.isOn }
        try expect(state).after(.pressed).to(output: "color", equal: "white")
        #expect(try expect(state.isOn).to(equal(false)))
      }
      spec.it("stays on") {
        place = #line + 1
        try expect(state).after(.pressed, .pressed).toTurn { $0.isOn }
      }
    }
    let failures = spec.failures()
    #expect(failures.map(\.name) == ["stays on"])
    let failure = try #require(failures.first?.error as? ExpectationFailure)
    #expect(failure.line == place && failure.filePath == #filePath)
    #expect(failure.text.contains("  2. pressed: color: \"white\" -> \"black\""))
  }
}
