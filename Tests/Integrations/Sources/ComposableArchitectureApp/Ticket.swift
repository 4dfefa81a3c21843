import ComposableArchitecture
import Foundation
import Recorder
import RecorderComposableArchitecture

/// A feature whose reducer reads a date, a UUID, and a clock.
struct Ticket: Reducer, ReplayableFeature {
  struct State: Codable, Sendable {
    var issued: [String] = []
    var expired = 0
  }

  enum Action: Codable, Sendable { case issued, expired }

  @Dependency(\.date) private var date
  @Dependency(\.uuid) private var uuid
  @Dependency(\.continuousClock) private var clock

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .issued:
        state.issued.append("\(uuid()) at \(Int(date.now.timeIntervalSince1970))")
        return .run { [clock] send in
          try await clock.sleep(for: .seconds(3_600))
          await send(.expired)
        }
      case .expired:
        state.expired += 1
        return .none
      }
    }
  }

  static func makeFeature() -> Ticket { Ticket() }
  static var initialState: State? { State() }
  static func prepareDependencies(_ dependencies: inout DependencyValues) {
    dependencies.date = .constant(Date(timeIntervalSince1970: 86_400))
    dependencies.uuid = .constant(
      UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    dependencies.continuousClock = ImmediateClock()
  }
}

/// Issues three tickets, each of which expires before the next one.
@MainActor func issueTickets() async {
  let store = Store(initialState: Ticket.State()) {
    Ticket().recorded(by: recorder, as: "ticket")
  } withDependencies: {
    Ticket.prepareDependencies(&$0)
  }
  for _ in 1...3 { await store.send(.issued).finish() }
}
