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
    case "checking":
      if pace.pick(4) == 0 {
        try flow.send("rejected")
      } else {
        try flow.send("accepted")
      }
    case "list":
      if pace.pick(6) == 0 {
        try flow.send("signOut")
      } else {
        try flow.send("open", pace.pick(50))
      }
    case "details":
      switch pace.pick(4) {
      case 1: try flow.send("edit")
      case 3: try flow.send("expired")
      default: try flow.send("back")
      }
    case "editing":
      if pace.pick(2) == 0 {
        try flow.send("save")
      } else {
        try flow.send("cancel")
      }
    default: try flow.start()
    }
  }
}
