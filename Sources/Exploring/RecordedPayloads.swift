package import JSONCore

/// Distinct events by name, in the order in which names occur: of each name the first, the last, and
/// one in between.
///
/// It keeps only a few of the events, so that long recordings can be read into it.
package struct RecordedPayloads: Sendable {
  /// The names of the events.
  package private(set) var names: [String] = []
  private var byName: [String: Samples] = [:]
  /// Fingerprints of the events.
  private var seen: Set<UInt64> = []

  /// The maximum number of names: they can be data.
  private static let nameLimit = 1_024

  package init(_ events: [JSON] = []) {
    for event in events { add(event) }
  }

  /// The number of events that it keeps.
  package var keptCount: Int { byName.values.reduce(0) { $0 + $1.kept.count + 1 } }

  /// The first, the last, and a middle event of a name; all of them if there are at most three.
  package subscript(name: String) -> [JSON] { byName[name]?.chosen ?? [] }

  /// Adds an event that comes after all others.
  package mutating func add(_ event: JSON) {
    guard seen.insert(event.fingerprint).inserted else { return }
    insert(event, named: PoolEvent.name(of: event))
  }

  mutating func insert(_ event: JSON, named name: String) {
    if byName[name] == nil {
      guard names.count < Self.nameLimit else { return }
      names.append(name)
    }
    byName[name, default: Samples()].add(event)
  }
}

/// Every nth event of a name, and the last one; n doubles as events come in.
private struct Samples: Sendable {
  private(set) var kept: [JSON] = []
  private var last: JSON?
  private var stride = 1
  private var count = 0

  /// The maximum number of kept events: enough to find one near the middle.
  private static let limit = 16

  mutating func add(_ event: JSON) {
    if kept.count == Self.limit, count.isMultiple(of: stride) {
      kept = kept.indices.filter { $0.isMultiple(of: 2) }.map { kept[$0] }
      stride *= 2
    }
    if count.isMultiple(of: stride) { kept.append(event) }
    last = event
    count += 1
  }

  var chosen: [JSON] {
    guard count > 3, let first = kept.first, let last else { return kept }
    return [first, kept[count / 2 / stride], last]
  }
}
