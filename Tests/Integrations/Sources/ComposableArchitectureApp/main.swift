import ComposableArchitecture
import Recorder

ReducerHost.runIfAsked(Counter.self, Form.self, Ticket.self)
let first = makeStore(recorder)
let second = makeStore(recorder)
first.send(.increased(by: 2))
second.send(.increased(by: 10))
first.send(.increased(by: 3))
await first.send(.factRequested).finish()
second.send(.increased(by: 20))

for name in ["a", "b"] {
  let form = Store(initialState: Form.State()) {
    Form()
  } withDependencies: {
    Form.prepareDependencies(&$0)
  }
  for _ in 1...3 { form.send(.stamped) }
  form.send(.binding(.set(\.name, name)))
}
tapChildren()
await issueTickets()
useOpaque()
let unnamed = recorder.machine("unnamed", initial: Form.Unnamed())
print(first.withState(\.count), first.withState(\.fact) ?? "none", second.withState(\.count))
withExtendedLifetime(unnamed) { recorder.close(within: .seconds(120)) }
