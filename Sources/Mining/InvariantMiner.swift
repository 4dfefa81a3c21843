package import JSONCore
package import Predicates
internal import Wire

/// Finds the conditions that held in recordings, entry by entry, without keeping entries.
///
/// ```swift
/// var miner = InvariantMiner(paths: paths)
/// miner.begin()
/// for row in rows { miner.add(values: row.values, event: row.event) }
/// for invariant in miner.invariants { … }
/// ```
///
/// Memory grows with the square of the number of paths, and not with the number of entries.
package struct InvariantMiner: Sendable {
  private struct EventPath: Hashable {
    var event: String
    var path: Int
  }

  private let paths: [Predicate.Path]
  private var values: [ValueSummary]
  private var pairs: [[PairSummary]]
  private var afterEvents: [EventPath: ValueSummary] = [:]
  private var events: [String: Int] = [:]

  package static let pathLimit = 48
  /// The maximum number of names of events: names can be data.
  private static let eventLimit = 48
  /// At how many entries something must have held.
  private static let (supportLimit, eventSupport) = (5, 3)

  /// - Parameter paths: paths into the state and the outputs; those over the limit are not used.
  package init(paths: [Predicate.Path]) {
    self.paths = Array(paths.prefix(Self.pathLimit))
    let count = self.paths.count
    values = Array(repeating: ValueSummary(), count: count)
    pairs = (0..<count).map { Array(repeating: PairSummary(), count: $0) }
  }

  /// The next entry is of another recording.
  package mutating func begin() {
    for index in values.indices { values[index].begin() }
  }

  /// Adds the values after an entry.
  ///
  /// - Parameters:
  ///   - row: a value for each path; containers are ignored.
  ///   - event: the name of the entry's event.
  package mutating func add(values row: [JSON], event: String?) {
    let name = event.flatMap { remember($0) ? $0 : nil }
    for (index, value) in row.prefix(paths.count).enumerated() where Self.isScalar(value) {
      values[index].add(value)
      if let name {
        afterEvents[EventPath(event: name, path: index), default: ValueSummary()].add(value)
      }
      for other in 0..<index where !pairs[index][other].isOver && Self.isScalar(row[other]) {
        pairs[index][other].add(value, row[other])
      }
    }
  }

  private mutating func remember(_ event: String) -> Bool {
    guard events[event] != nil || events.count < Self.eventLimit else { return false }
    events[event, default: 0] += 1
    return true
  }

  private static func isScalar(_ value: JSON) -> Bool {
    switch value {
    case .null, .bool, .number: true
    case .string(let text): text.utf8.count <= 64
    case .array, .object: false
    }
  }

  /// What held at all entries, the most surprising first.
  package var invariants: [Invariant] { Self.ranked(ofPairs + ofEvents + ofValues) }

  /// Invariants with the most surprising ones first.
  package static func ranked(_ found: [Invariant]) -> [Invariant] {
    found.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.kind.surprise != other.kind.surprise {
        return one.kind.surprise > other.kind.surprise
      }
      return one.support != other.support
        ? one.support > other.support : left.offset < right.offset
    }.map(\.element)
  }

  private func invariant(_ kind: InvariantKind, _ text: String, _ support: Int) -> Invariant? {
    (try? Predicate(text)).map { Invariant(kind, $0, support: support) }
  }

  // MARK: Two values

  private var ofPairs: [Invariant] {
    var found: [Invariant] = []
    for (index, row) in pairs.enumerated() {
      for (other, pair) in row.enumerated() where pair.count >= Self.supportLimit {
        guard values[index].varies, values[other].varies else { continue }
        let (left, right) = (paths[index], paths[other])
        let operation: String
        if pair.areEqual {
          operation = "=="
        } else if pair.neverMore, isOverlapping(other, index) {
          operation = "<="
        } else if pair.neverLess, isOverlapping(index, other) {
          operation = ">="
        } else {
          continue
        }
        let kind: InvariantKind = pair.areEqual ? .equality : .order
        if let one = invariant(kind, "\(left) \(operation) \(right)", pair.count) {
          found.append(one)
        }
      }
    }
    return found
  }

  /// Whether the ranges of two numbers overlap, so that the limits of each do not say their order.
  private func isOverlapping(_ smaller: Int, _ larger: Int) -> Bool {
    guard let least = values[smaller].least, let most = values[larger].most else { return false }
    return least.double < most.double
  }

  // MARK: Events

  private var ofEvents: [Invariant] {
    let keys = afterEvents.keys.sorted { ($0.event, $0.path) < ($1.event, $1.path) }
    return keys.compactMap { key in
      guard let summary = afterEvents[key], summary.isConstant, !values[key.path].isConstant,
        summary.count >= Self.eventSupport, let value = summary.only,
        summary.count < values[key.path].count
      else { return nil }
      let name = Self.text(.string(key.event))
      return invariant(
        .implied, "event != \(name) || \(paths[key.path]) == \(Self.text(value))", summary.count)
    }
  }

  // MARK: One value

  private var ofValues: [Invariant] {
    values.indices.flatMap { invariants(of: values[$0], at: paths[$0]) }
  }

  private func invariants(of value: ValueSummary, at path: Predicate.Path) -> [Invariant] {
    guard value.count >= Self.supportLimit, let only = value.only else { return [] }
    if value.isConstant {
      return only == .null
        ? []
        : [invariant(.constant, "\(path) == \(Self.text(only))", value.count)].compactMap(\.self)
    }
    guard value.isNumeric, let least = value.least, let most = value.most else {
      return [subset(value, path) ?? present(value, path)].compactMap(\.self)
    }
    var found: [Invariant?] = []
    if value.neverFalls, value.hasRisen, let earlier = Self.before(path) {
      found.append(invariant(.monotonic, "!(\(path) < \(earlier))", value.count))
    }
    if least.double >= 0 { found.append(invariant(.sign, "\(path) >= 0", value.count)) }
    if most.double <= 0 { found.append(invariant(.sign, "\(path) <= 0", value.count)) }
    found.append(
      invariant(
        .range,
        "\(path) >= \(Self.text(.number(least))) && \(path) <= \(Self.text(.number(most)))",
        value.count))
    return found.compactMap(\.self)
  }

  private func subset(_ value: ValueSummary, _ path: Predicate.Path) -> Invariant? {
    guard let distinct = value.distinct, distinct.contains(where: { $0.string != nil }),
      value.count >= distinct.count * Self.supportLimit
    else { return nil }
    let parts = distinct.map { "\(path) == \(Self.text($0))" }
    return invariant(.subset, parts.joined(separator: " || "), value.count)
  }

  private func present(_ value: ValueSummary, _ path: Predicate.Path) -> Invariant? {
    value.hasNull ? nil : invariant(.present, "\(path) != null", value.count)
  }

  private static func before(_ path: Predicate.Path) -> Predicate.Path? {
    switch path.root {
    case .state: Predicate.Path(.beforeState, path.steps)
    case .outputs: Predicate.Path(.beforeOutputs, path.steps)
    case .event, .name, .beforeState, .beforeOutputs, .seq, .t, .ns, .cause, .origin, .at, .error,
      .gap, .restored, .jump, .was, .redacted, .omitted, .keyframe, .thinned:
      nil
    }
  }

  private static func text(_ value: JSON) -> String {
    String(decoding: value.encoded(), as: UTF8.self)
  }
}
