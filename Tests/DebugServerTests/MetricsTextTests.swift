import Testing

@testable import DebugServer

@Suite("Metrics: text")
struct MetricsTextTests {
  @Test("has help, type, and values of each metric")
  func metric() {
    var text = MetricsText()
    text.add("a_total", .counter, "How many.", 3)
    text.add("b", .gauge, "How much.", by: "role", ["recorder": 1, "inspector": 0])
    #expect(
      text.text == """
        # HELP a_total How many.
        # TYPE a_total counter
        a_total 3
        # HELP b How much.
        # TYPE b gauge
        b{role="recorder"} 1
        b{role="inspector"} 0

        """)
  }

  @Test("escapes labels")
  func label() {
    var text = MetricsText()
    text.add("a", .gauge, "One.", by: "of", ["q\"b\\n\n": 1])
    #expect(text.text.hasSuffix("\na{of=\"q\\\"b\\\\n\\n\"} 1\n"))
  }
}
