import StatesCore

func fromElsewhere() throws {
  let chart = try Statechart { On("pushed") { _ in } }
  try chart.send("pushed")
  let later: @Sendable () -> Void = {
    _ = try? chart.send("pushed")  // refused: non-Sendable
  }
  later()
}
