import JSONCore
import Replaying
import StatesCore
import Testing
import Timelines

/// Everything here is on the main actor unless it says otherwise, as in an app.
private struct Token: Reducible, Codable {
  var isHeads = true
  enum Event: String, Codable { case flipped }
  static func reduce(state: Token, event: Event) -> Token { Token(isHeads: !state.isHeads) }
  static var outputs: Outputs<Token> { Output("isHeads", \.isHeads) }
}

private enum FreshToken: Replayable {
  static func make() -> Machine<Token> { Machine(Token()) }
}

private enum GateFlow: Replayable {
  static func make() throws -> Statechart<NoChartValue> {
    let definition = ChartDefinition<NoChartValue> {
      On("pushed", goTo: "open")
      ChartState("open")
    }
    return try Statechart(NoChartValue(), definition)
  }
}

private nonisolated struct Leaf: Codable {
  var names: [String] = []
}

private enum Notebook: Replayable {
  static func make() -> StateForm<Leaf, Never> { StateForm(state: Leaf()) }
}

private final class Lantern: @MainActor Stateful {
  private(set) lazy var state = Dispatcher(for: self)
  static func on() -> State { state { _ in } }
}

@Suite("Main actor by default: replaying")
struct ReplayingCallSiteTests {
  @Test("machines are recorded here, and run again anywhere")
  func machinesAreRecordedHereAndReplayedAnywhere() async throws {
    let coin = Machine(Token())
    var writer = RunWriter(StatesAppearance<Token>(), of: coin.kernel)
    var drafts = [try writer.begin(with: coin.state, after: nil, t: 0)]
    coin.kernel.use { step in
      if let draft = try? writer.write(step, t: 1) { drafts.append(draft) }
    }
    coin.send(.flipped)
    #expect(drafts.count == 2)

    let recipes = [
      Replay(of: FreshToken.self), Replay(of: GateFlow.self), Replay(of: Notebook.self),
      Replay(functional: Lantern.self),
    ]
    let first = await Task.detached {
      recipes.map { replay in (try? replay.makeReplayer().begin())?.state != nil }
    }.value
    #expect(first == [true, true, true, true])
    #expect(Replay(reducible: Token.self).kind == .states)
  }
}
