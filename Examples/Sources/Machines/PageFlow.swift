import Replaying
import StatesCore

/// The pages of an app: signing in, a list with details, and the cleanup on every exit.
package enum PageFlow: Replayable {
  /// The flow's value.
  package struct Session: Codable, Equatable, Sendable {
    package var user: String?
    package var opened: [Int] = []
    package var attempts = 0
  }

  /// The flow's definition. It captures no values, so it can be replayed anywhere.
  package static func definition() -> ChartDefinition<Session> {
    ChartDefinition<Session> {
      OnEnter { $0.goTo("signedOut") }
      On("expired", goTo: "signedOut")
      ChartState("signedOut") {
        OnEnter { $0.value.user = nil }
        On("signIn", String.self, mayGoTo: ["checking"]) { context, name in
          context.value.user = name
          context.goTo("checking")
        }
        ChartState("checking") {
          OnEnter { $0.value.attempts += 1 }
          On("accepted", goTo: "list")
          On("rejected", goTo: "signedOut")
        }
      }
      ChartState("signedIn") {
        OnExit { $0.value.opened = [] }
        On("signOut", goTo: "signedOut")
        ChartState("list") {
          On("open", Int.self, mayGoTo: ["details"]) { context, id in
            context.value.opened.append(id)
            context.goTo("details")
          }
        }
        ChartState("details") {
          On("back", goTo: "list")
          On("edit", goTo: "editing")
          ChartState("editing") {
            On("save", goTo: "details")
            On("cancel", goTo: "details")
          }
        }
      }
    }
  }

  /// A flow that has not started.
  package static func make() throws -> Statechart<Session> {
    try Statechart(Session(), definition())
  }
}
