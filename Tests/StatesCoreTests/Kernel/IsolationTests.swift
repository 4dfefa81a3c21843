import StatesCore
import Testing

/// Answers whether the compiler lets values of a type leave their isolation.
private func canLeave<Value>(_ type: Value.Type) -> Bool { false }
private func canLeave<Value: Sendable>(_ type: Value.Type) -> Bool { true }

private struct Coin: Reducible {
  static func reduce(state: Coin, event: Bool) -> Coin { state }
}

private final class Lamp: Stateful {
  private(set) lazy var state = Dispatcher(for: self)
}

@Suite("Isolation")
struct IsolationTests {
  @Test(
    "a machine cannot leave its owner's isolation, so the compiler refuses sends from elsewhere")
  func machineCannotLeaveOwnerIsolation() {
    #expect(!canLeave(Machine<Coin>.self))
    #expect(!canLeave(StateForm<Int, Never>.self))
    #expect(!canLeave(FormChild<Int, Never>.self))
    #expect(!canLeave(Statechart<NoChartValue>.self))
    #expect(!canLeave(Dispatcher<Lamp>.self))
    #expect(!canLeave(Subscription.self) && !canLeave(SubscriptionScope.self))
  }

  @Test("a feedback system, its runs and a chart's definition can be used anywhere")
  func feedbackSystemIsSendable() {
    #expect(canLeave(FeedbackSystem<Int, Int>.self))
    #expect(canLeave(FeedbackRun<Int, Int>.self))
    #expect(canLeave(ChartDefinition<Int>.self))
    #expect(canLeave(Cause.self) && canLeave(CallSite.self) && canLeave(StepDetails.self))
  }
}
