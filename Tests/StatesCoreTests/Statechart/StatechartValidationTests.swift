import StatesCore
import Testing

@Suite("Statechart: validation")
struct StatechartValidationTests {
  private func problems(
    _ checks: ChartChecks = .all, bubbles: Bool = true,
    @ChartBuilder<Int, ChartHandler<Int>> _ content: () -> ChartContent<Int, ChartHandler<Int>>
  ) -> [ChartProblem] {
    do {
      _ = try Statechart(0, options: ChartOptions(bubbles: bubbles, checks: checks), content)
      return []
    } catch ChartError.invalid(let problems) {
      return problems
    } catch {
      Issue.record("unexpected \(error)")
      return []
    }
  }

  @Test("the smallest chart is valid")
  func smallestChartIsValid() throws {
    let empty = try Statechart {}
    try empty.validate()
    let dictionary = try Statechart(chart: ["root": [:]])
    try dictionary.send("anything")
    #expect(dictionary.path == ["root"])
  }

  @Test("a missing root names what is there instead")
  func missingRoot() {
    #expect(throws: ChartError.invalid([.missingRoot(found: ["main", "other"])])) {
      try Statechart(chart: ["main": [:], "other": [:]])
    }
    #expect(throws: ChartError.invalid([.missingRoot(found: [])])) { try Statechart(chart: [:]) }
    #expect(throws: ChartError.invalid([.missingRoot(found: [])])) { try Statechart(chart: "root") }
  }

  @Test("duplicate names are named with all their places")
  func duplicateNamesAreNamedWithAllPlaces() {
    let found = problems {
      OnEnter { $0.goTo("a") }
      ChartState("a") { ChartState("x") }
      ChartState("b") { ChartState("x") { ChartState("root") } }
    }
    #expect(
      found.filter { if case .duplicateName = $0 { true } else { false } } == [
        .duplicateName("root", paths: [["root"], ["root", "b", "x", "root"]]),
        .duplicateName("x", paths: [["root", "a", "x"], ["root", "b", "x"]]),
      ])
  }

  @Test("children with the same name are always refused")
  func duplicateChildren() {
    let path = ["root", "a"]
    #expect(
      problems([]) {
        ChartState("a")
        ChartState("a")
      } == [.duplicateName("a", paths: [path, path])])
  }

  @Test("a second handler of a message in one state is refused")
  func duplicateHandlers() {
    #expect(
      problems([]) {
        On("m") { _ in }
        On("m", goTo: "root")
      } == [.duplicateHandler(message: "m", path: ["root"])])
  }

  @Test("declared targets that do not exist are named with their place")
  func declaredTargetsThatDoNotExistAreNamed() {
    let found = problems(.danglingTargets) {
      OnEnter(goTo: "one")
      On("m", goTo: "two")
      ChartState("a") {
        OnExit(goTo: "three")
        On("n", mayGoTo: ["a", "four"]) { _ in }
      }
    }
    #expect(
      found == [
        .danglingTarget("one", trigger: .enter, path: ["root"]),
        .danglingTarget("two", trigger: .message("m"), path: ["root"]),
        .danglingTarget("three", trigger: .exit, path: ["root", "a"]),
        .danglingTarget("four", trigger: .message("n"), path: ["root", "a"]),
      ])
    #expect(problems([]) { On("m", goTo: "two") } == [])
  }

  @Test("states that nothing declared leads to are named")
  func unreachableStatesAreNamed() {
    let found = problems {
      On("go", goTo: "b")
      ChartState("a") { On("m", goTo: "c") }
      ChartState("b") { On("n", mayGoTo: ["d"]) { $0.goTo("d") } }
      ChartState("c")
      ChartState("d") { OnExit(goTo: "e") }
      ChartState("e")
    }
    #expect(
      found == [.unreachableState(path: ["root", "a"]), .unreachableState(path: ["root", "c"])])
  }

  @Test("a handler that is hidden by a nearer one makes no state reachable")
  func unreachableByHandling() {
    #expect(
      problems {
        OnEnter(goTo: "a")
        ChartState("a") {
          On("m", goTo: "root")
          ChartState("b") { OnEnter(goTo: "a") }
        }
      } == [.unreachableState(path: ["root", "a", "b"])])
    #expect(
      problems(bubbles: false) {
        OnEnter(goTo: "a")
        On("m", goTo: "b")
        ChartState("a")
        ChartState("b")
        // The root is the current state only before its hook has gone on, so this is lenient.
      } == [])
    #expect(
      problems(bubbles: false) {
        OnEnter(goTo: "a")
        ChartState("p") {
          On("m", goTo: "b")
          ChartState("a")
        }
        ChartState("b")
      } == [.unreachableState(path: ["root", "b"])])
  }

  @Test("a closure that declares nothing may go anywhere, but not to a namesake that is hidden")
  func closureThatDeclaresNothingMayGoAnywhere() {
    #expect(
      problems {
        On("m") { _ in }
        ChartState("a") { ChartState("b") }
      } == [])
    #expect(
      problems(.unreachableStates) {
        On("m") { _ in }
        ChartState("a")
        ChartState("b") { ChartState("a") }
      } == [.unreachableState(path: ["root", "b", "a"])])
    // A closure in a state that cannot be entered does not count.
    #expect(
      problems {
        ChartState("a") { OnEnter { _ in } }
      } == [.unreachableState(path: ["root", "a"])])
  }

  @Test("validate checks everything, also what was left out when the chart was made")
  func validateLater() throws {
    let chart = try Statechart(options: ChartOptions(checks: [])) { On("m", goTo: "nowhere") }
    #expect(
      throws: ChartError.invalid([
        .danglingTarget("nowhere", trigger: .message("m"), path: ["root"])
      ])
    ) { try chart.validate() }
    let definition = ChartDefinition<Int> { On("m", goTo: "nowhere") }
    #expect(throws: ChartError.self) { try definition.validate() }
    #expect(throws: ChartError.self) { try Statechart(0, definition) }
  }

  @Test("words of the dictionary form in the wrong place are named")
  func wordsOfDictionaryFormInWrongPlaceAreNamed() {
    func problem(_ chart: ChartItem<NoChartValue>) -> ChartError? {
      do {
        _ = try Statechart(chart: chart)
        return nil
      } catch {
        return error
      }
    }
    #expect(problem(["root": "a"]) == .invalid([.misplaced(key: "root", path: [])]))
    #expect(
      problem(["root": ["subStates": "a"]])
        == .invalid([.misplaced(key: "subStates", path: ["root"])]))
    #expect(problem(["root": ["m": [:]]]) == .invalid([.misplaced(key: "m", path: ["root"])]))
    #expect(
      problem(["root": ["subStates": ["a": .run { _ in }]]])
        == .invalid([.misplaced(key: "a", path: ["root"])]))
  }

  @Test("every problem says what to do")
  func everyProblemSaysWhatToDo() {
    let problems: [ChartProblem] = [
      .missingRoot(found: []), .missingRoot(found: ["a"]), .duplicateName("n", paths: [["a"]]),
      .duplicateHandler(message: "m", path: ["a"]),
      .danglingTarget("t", trigger: .exit, path: ["a"]), .unreachableState(path: ["a"]),
      .misplaced(key: "k", path: ["a"]),
    ]
    for problem in problems { #expect(problem.description.contains("To fix, ")) }
    #expect(ChartError.invalid(problems).description.split(separator: "\n").count == 7)
  }
}
