package import JSONCore

/// Which events occurred in which states of a machine, and what they did.
package struct MachineCoverage: Sendable {
  /// What the events of a name did.
  package struct Count: Hashable, Sendable {
    package var events = 0
    /// How many of them changed the state or an output.
    package var effects = 0
    /// How many of them ended with an error.
    package var failures = 0

    /// Whether none of them was handled: neither an effect nor an error.
    package var isUnhandled: Bool { events > 0 && effects == 0 && failures == 0 }
  }

  /// The names of the states, in the order in which they were seen.
  package private(set) var states: [String] = []
  /// The names of the events, in the order in which they were seen.
  package private(set) var events: [String] = []
  private var counts: [String: [String: Count]] = [:]
  /// Whether there were more names than are counted.
  package private(set) var isCut = false

  /// The maximum number of names of states, and of events: both can be data.
  package static let nameLimit = 256

  package init() {}

  /// Adds an event.
  ///
  /// - Parameter state: the name of the state before it.
  package mutating func add(
    _ event: String, in state: String, isEffective: Bool, isFailure: Bool
  ) {
    guard Self.add(state, to: &states), Self.add(event, to: &events) else {
      isCut = true
      return
    }
    var count = self.count(of: event, in: state)
    count.events += 1
    if isFailure { count.failures += 1 } else if isEffective { count.effects += 1 }
    counts[state, default: [:]][event] = count
  }

  private static func add(_ name: String, to names: inout [String]) -> Bool {
    if names.contains(name) { return true }
    guard names.count < nameLimit else { return false }
    names.append(name)
    return true
  }

  /// What the events of a name did in a state.
  package func count(of event: String, in state: String) -> Count {
    counts[state]?[event] ?? Count()
  }

  /// The events that no state handled.
  package var unhandled: [String] {
    events.filter { event in
      let all = states.map { count(of: event, in: $0) }.filter { $0.events > 0 }
      return all.allSatisfy(\.isUnhandled)
    }
  }

  /// The name of a state: the path of a chart, the case of an enum, or a scalar; `nil` for any other.
  package static func name(of state: JSON) -> String? {
    if let path = state["path"]?.array ?? state.array {
      let names = path.compactMap(\.string)
      return names.count == path.count && !names.isEmpty ? names.joined(separator: "/") : nil
    }
    switch state {
    case .string(let text): return text.utf8.count <= 64 ? text : nil
    case .number, .bool, .null: return String(decoding: state.encoded(), as: UTF8.self)
    case .array: return nil
    case .object(let members):
      guard members.count == 1, let only = members.first(where: { _ in true }),
        case .object = only.value
      else { return nil }
      return only.key
    }
  }
}
