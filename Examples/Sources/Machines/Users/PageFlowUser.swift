import StatesCore

/// A simulated user who signs in, reads, edits, and is signed out at times.
@MainActor
package func wander(
  _ flow: Statechart<PageFlow.Session>, _ pace: Pace, times: Int
) async throws {
  for _ in 0..<times {
    await pace.rest()
    switch flow.current {
    case "signedOut": try flow.send("signIn", pace.pick(of: ["ada", "grace"]))
    case "checking": try flow.send(pace.pick(4) == 0 ? "rejected" : "accepted")
    case "list":
      if pace.pick(6) == 0 {
        try flow.send("signOut")
      } else {
        try flow.send("open", pace.pick(50))
      }
    case "details": try flow.send(pace.pick(of: ["back", "edit", "back", "expired"]))
    case "editing": try flow.send(pace.pick(of: ["save", "cancel"]))
    default: try flow.start()
    }
  }
}
