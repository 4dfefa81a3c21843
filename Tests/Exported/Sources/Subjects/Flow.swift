import Replaying
import StatesCore

/// A chart with hooks, payloads, and messages that its own closures send.
enum Flow: Replayable {
  struct Session: Codable, Sendable {
    var user: String?
    var opened: [Int] = []
    var attempts = 0
  }

  static func definition() -> ChartDefinition<Session> {
    let m = Mutant.of("flow")
    return ChartDefinition<Session> {
      OnEnter { $0.goTo("signedOut") }
      On("expired", goTo: m == 1 ? "checking" : "signedOut")
      ChartState("signedOut") {
        OnEnter { $0.value.user = m == 2 ? "guest" : nil }
        On("signIn", String.self) { context, name in
          context.value.user = m == 3 ? name.uppercased() : name
          if m != 4 { context.goTo("checking") }
        }
        ChartState("checking") {
          OnEnter { $0.value.attempts += m == 5 ? 2 : 1 }
          On("accepted", goTo: m == 6 ? "details" : "list")
          On("rejected", goTo: "signedOut")
        }
      }
      ChartState("signedIn") {
        OnExit { $0.value.opened = m == 7 ? [1] : [] }
        On("signOut", goTo: m == 8 ? "checking" : "signedOut")
        ChartState("list") {
          On("open", Int.self) { context, id in
            context.value.opened.append(m == 9 ? id + 1 : id)
            context.goTo("details")
          }
        }
        ChartState("details") {
          On("back", goTo: m == 10 ? "signedOut" : "list")
        }
      }
    }
  }

  static func make() throws -> Statechart<Session> { try Statechart(Session(), definition()) }
}
