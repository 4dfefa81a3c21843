package import JSONCore

/// The states and edges of a recorded statechart.
package struct ChartEdges: Sendable {
  /// An edge: a message in a state leads to another one.
  package struct Edge: Hashable, Sendable {
    package var from: [String]
    package var to: [String]
    package var message: String

    /// `root/open --lock--> root/closed`.
    package var text: String {
      "\(from.joined(separator: "/")) --\(message)--> \(to.joined(separator: "/"))"
    }
  }

  /// The paths of the states, in the order of the chart.
  package private(set) var states: [[String]] = []
  /// The edges that a message takes, without duplicates.
  package private(set) var edges: [Edge] = []
  /// The same edges by their messages.
  private var byMessage: [String: [Edge]] = [:]

  /// - Parameter chart: `chart` of a header.
  package init?(_ chart: JSON?) {
    guard let chart, let states = chart["states"]?.array else { return nil }
    var paths: [String: [String]] = [:]
    for state in states {
      guard let name = state["name"]?.string, let path = Self.path(state["path"]) else { continue }
      paths[name] = path
      self.states.append(path)
    }
    var seen: Set<Edge> = []
    for edge in (chart["declared"]?.array ?? []) + (chart["observed"]?.array ?? []) {
      guard let from = Self.path(edge["from"]), let to = edge["to"]?.string.flatMap({ paths[$0] }),
        let message = edge["trigger"]?["message"]?.string
      else { continue }
      let edge = Edge(from: from, to: to, message: message)
      guard seen.insert(edge).inserted else { continue }
      edges.append(edge)
      byMessage[message, default: []].append(edge)
    }
  }

  /// The active path of a chart's state.
  package static func activePath(in state: JSON) -> [String]? { path(state["path"]) }

  private static func path(_ json: JSON?) -> [String]? {
    guard let elements = json?.array else { return nil }
    let names = elements.compactMap(\.string)
    return names.count == elements.count ? names : nil
  }

  /// The edge that a message took: the innermost one that leads from one path to the other.
  package func edge(from before: [String], to after: [String], message: String) -> Edge? {
    let isMoved = before != after
    return
      (byMessage[message] ?? [])
      .filter { edge in
        before.starts(with: edge.from)
          && (isMoved ? after.starts(with: edge.to) : edge.from == edge.to)
      }
      .max { ($0.from.count, $0.to.count) < ($1.from.count, $1.to.count) }
  }
}
