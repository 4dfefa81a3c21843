import JSONCore
import Mining
import Testing

@Suite("Machine coverage")
struct MachineCoverageTests {
  @Test("counts events by the state in which they occurred, with effects and errors")
  func counts() {
    var coverage = MachineCoverage()
    coverage.add("open", in: "closed", isEffective: true, isFailure: false)
    coverage.add("open", in: "open", isEffective: false, isFailure: false)
    coverage.add("lock", in: "open", isEffective: true, isFailure: true)
    coverage.add("ring", in: "open", isEffective: false, isFailure: false)
    coverage.add("ring", in: "closed", isEffective: false, isFailure: false)
    #expect(coverage.states == ["closed", "open"])
    #expect(coverage.events == ["open", "lock", "ring"])
    #expect(coverage.count(of: "open", in: "closed").effects == 1)
    #expect(coverage.count(of: "open", in: "open").isUnhandled)
    #expect(coverage.count(of: "lock", in: "closed").events == 0)
    #expect(coverage.count(of: "lock", in: "open").failures == 1)
    #expect(coverage.count(of: "lock", in: "open").effects == 0)
    // Opening is handled in one state, and an error is an answer, too.
    #expect(coverage.unhandled == ["ring"])
    #expect(!coverage.isCut)
  }

  @Test("names are limited, because they can be data")
  func limits() {
    var coverage = MachineCoverage()
    for index in 0..<300 {
      coverage.add("e", in: "s\(index)", isEffective: true, isFailure: false)
      coverage.add("e\(index)", in: "s0", isEffective: true, isFailure: false)
    }
    #expect(coverage.states.count == MachineCoverage.nameLimit)
    #expect(coverage.events.count == MachineCoverage.nameLimit)
    #expect(coverage.isCut)
  }

  @Test(
    "a state is named by a chart's path, a case, or a scalar",
    arguments: [
      (["path": ["root", "open"], "value": 1], "root/open"), (["root", "open"], "root/open"),
      (["loading": ["page": 2]], "loading"), ("open", "open"), (3, "3"), (true, "true"),
      (nil, "null"), (["a": 1], nil), (["a": [:], "b": [:]], nil), ([1, 2], nil), ([], nil),
    ] as [(JSON, String?)])
  func names(state: JSON, name: String?) {
    #expect(MachineCoverage.name(of: state) == name)
  }
}
