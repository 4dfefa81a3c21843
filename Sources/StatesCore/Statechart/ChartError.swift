/// An error of a ``Statechart``, when it is made or while it handles a message.
///
/// You can continue to use the chart after an error in a message: it is in the last state that it
/// entered completely.
///
/// ```swift
/// do {
///   _ = try Statechart { On("pushed", goTo: "opne"); ChartState("open") }
/// } catch {
///   print(error)  // … names "opne", and says what to do
/// }
/// ```
public enum ChartError: Error, Hashable, Sendable {
  /// The chart's declaration has problems.
  case invalid([ChartProblem])
  /// One operation made more transitions than allowed; `trail` lists the states it went to.
  case tooManyTransitions(limit: Int, trail: [String])
  /// A handler received a payload of the wrong type, or none.
  case payloadMismatch(message: String, state: String, expected: String, found: String?)
}

extension ChartError: CustomStringConvertible {
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .invalid(let problems):
      return problems.map(\.description).joined(separator: "\n")
    case .tooManyTransitions(let limit, let trail):
      // Loops are short: the last dozen states show them.
      let shown = trail.suffix(12).joined(separator: " -> ")
      let dots = trail.count > 12 ? "… -> " : ""
      return """
        More than \(limit) transitions in one operation: \(dots)\(shown). \
        To fix, look for hooks that send the chart back and forth, or raise the limit in ChartOptions.
        """
    case .payloadMismatch(let message, let state, let expected, let found):
      return """
        The handler of "\(message)" in "\(state)" expects \(expected), \
        but got \(found ?? "nothing"). To fix, send the message with a payload of that type.
        """
    }
  }
}

/// A problem in a chart's declaration.
///
/// ```swift
/// let problem = ChartProblem.missingRoot(found: ["main"])
/// assert("\(problem)".contains("main"))
/// ```
public enum ChartProblem: Error, Hashable, Sendable {
  /// A chart in dictionary form has no state `root` at its top; `found` lists what it has.
  case missingRoot(found: [String])
  /// Several states have the same name.
  case duplicateName(String, paths: [[String]])
  /// A state has several handlers of one message.
  case duplicateHandler(message: String, path: [String])
  /// A target is declared that is not the name of a state.
  case danglingTarget(String, trigger: ChartTrigger, path: [String])
  /// A state can never be entered.
  case unreachableState(path: [String])
  /// A key of the dictionary form has a value of the wrong kind.
  case misplaced(key: String, path: [String])
}

extension ChartProblem: CustomStringConvertible {
  /// What the problem is, and what to do about it.
  public var description: String {
    switch self {
    case .missingRoot(let found):
      let list = found.isEmpty ? "nothing" : found.map { "\"\($0)\"" }.joined(separator: ", ")
      return
        "The chart has no state \"root\" at its top, but \(list). To fix, put it under \"root\"."
    case .duplicateName(let name, let paths):
      let places = paths.map { $0.joined(separator: "/") }.joined(separator: " and ")
      return "Several states are called \"\(name)\": \(places). To fix, rename all but one."
    case .duplicateHandler(let message, let path):
      let place = path.joined(separator: "/")
      return "\(place) handles \"\(message)\" more than once. To fix, keep one handler."
    case .danglingTarget(let target, let trigger, let path):
      let place = path.joined(separator: "/")
      return """
        \(place) goes to "\(target)" \(trigger), but there is no such state. \
        To fix, correct the name or add the state.
        """
    case .unreachableState(let path):
      return """
        \(path.joined(separator: "/")) can never be entered. To fix, go there from somewhere, \
        remove it, or leave out the check for unreachable states.
        """
    case .misplaced(let key, let path):
      let place = path.joined(separator: "/")
      return """
        "\(key)" in \(place) has the wrong kind of value. To fix, give "subStates" and every \
        state a dictionary, and everything else a closure or the name of a state.
        """
    }
  }
}
