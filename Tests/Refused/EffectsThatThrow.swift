import StatesCore

struct Broken: Error {}

func makeChart() throws -> Statechart<NoChartValue> {
  try Statechart {
    On("pushed") { context in
      context.perform { throw Broken() }  // refused: throwing
    }
  }
}
