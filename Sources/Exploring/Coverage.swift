package import JSONCore

/// Which events were sent in which states, and what they did.
package struct Coverage: Sendable {
  /// What the events of a name did.
  package struct EventCount: Hashable, Sendable {
    /// How often one was sent.
    package var sent = 0
    /// How often it changed the state or an output.
    package var effects = 0
    /// How often it was refused with an error, or trapped.
    package var failures = 0

    package init() {}
  }

  /// By name.
  package private(set) var events: [String: EventCount] = [:]
  /// The names of the states that were reached.
  package private(set) var states: Set<String> = []
  /// The edges of the chart that were taken.
  package private(set) var edges: Set<ChartEdges.Edge> = []
  private let chart: ChartEdges?

  /// The maximum number of names of states: texts that are all new are not states.
  private static let stateLimit = 256

  package init(of chart: ChartEdges? = nil) { self.chart = chart }

  /// Adds a state without an event: the first one, or one whose event is counted elsewhere.
  package mutating func add(state: JSON) {
    if let name = Self.name(of: state) { add(stateNamed: name) }
  }

  /// Adds a state by its name.
  package mutating func add(stateNamed name: String) {
    if states.count < Self.stateLimit { states.insert(name) }
  }

  package mutating func add(
    _ name: String, from before: JSON, to after: JSON, isEffective: Bool, isFailure: Bool = false
  ) {
    events[name, default: EventCount()].sent += 1
    if isFailure { events[name, default: EventCount()].failures += 1 }
    guard isEffective else { return addEdge(name, before, before) }
    events[name, default: EventCount()].effects += 1
    add(state: after)
    addEdge(name, before, after)
  }

  private mutating func addEdge(_ name: String, _ before: JSON, _ after: JSON) {
    guard let chart, let from = ChartEdges.activePath(in: before),
      let to = ChartEdges.activePath(in: after),
      let edge = chart.edge(from: from, to: to, message: name)
    else { return }
    edges.insert(edge)
  }

  /// Adds events of a name that take no edges of a chart.
  package mutating func add(_ name: String, _ count: EventCount) {
    events[name, default: EventCount()].sent += count.sent
    events[name, default: EventCount()].effects += count.effects
    events[name, default: EventCount()].failures += count.failures
  }

  package mutating func add(_ other: Coverage) {
    for (name, count) in other.events { add(name, count) }
    // Sorted, so that the result does not depend on the order in a set.
    for name in other.states.sorted() { add(stateNamed: name) }
    edges.formUnion(other.edges)
  }

  /// The name of the state that a machine is in: the path of a chart, the case of an enum, or a short
  /// text; `nil` for any other state.
  package static func name(of state: JSON) -> String? {
    if let path = ChartEdges.activePath(in: state) { return path.joined(separator: "/") }
    if let text = state.string { return text.utf8.count <= 40 ? text : nil }
    guard case .object(let members) = state, members.count == 1,
      let only = members.first(where: { _ in true }), case .object = only.value
    else { return nil }
    return only.key
  }

  /// The name of a state in text form. Decodes only states that can have one.
  package static func name(of state: JSONSlice) -> String? {
    switch state.kind {
    case .string: return name(of: state.value)
    case .object:
      var members = state.members
      let isSingle = members.next() != nil && members.next() == nil
      return isSingle || state["path"] != nil ? name(of: state.value) : nil
    case .null, .bool, .number, .array: return nil
    }
  }

  /// The states of the chart that were not reached.
  package var unreachedStates: [String] {
    let names = (chart?.states ?? []).map { $0.joined(separator: "/") }
    // A state counts as reached together with those inside it.
    return names.filter { name in
      !states.contains { $0 == name || $0.hasPrefix(name + "/") }
    }
  }

  /// The edges of the chart that were not taken.
  package var untakenEdges: [ChartEdges.Edge] {
    (chart?.edges ?? []).filter { !edges.contains($0) }
  }
}
