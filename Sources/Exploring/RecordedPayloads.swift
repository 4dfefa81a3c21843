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
  /// The maximum weight of all kept events. Decoded, they take some fifty times as many bytes.
  private static let weightLimit = 1 << 20
  private var weight = 0
  /// Names of which an event was too large to be kept.
  private var largeNames: [String] = []

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
    let added = event.weight(upTo: Self.weightLimit)
    guard weight + added <= Self.weightLimit else {
      if largeNames.count < Self.nameLimit, !largeNames.contains(name) { largeNames.append(name) }
      return
    }
    if byName[name] == nil {
      guard names.count < Self.nameLimit else { return }
      names.append(name)
    }
    var samples = byName.removeValue(forKey: name) ?? Samples()
    weight -= samples.weight
    samples.add(event, weight: added)
    weight += samples.weight
    byName[name] = samples
  }

  /// The names of which all events were too large to be kept.
  var tooLarge: [String] { largeNames.filter { byName[$0] == nil } }
}

/// Every nth event of a name, and the last one; n doubles as events come in.
private struct Samples: Sendable {
  private typealias Sample = (event: JSON, weight: Int)

  private var samples: [Sample] = []
  /// The last event, unless it is the last sample.
  private var last: Sample?
  private var stride = 1
  private var count = 0

  /// The maximum number of kept events: enough to find one near the middle.
  private static let limit = 16

  var kept: [JSON] { samples.map(\.event) }

  var weight: Int { samples.reduce(last?.weight ?? 0) { $0 + $1.weight } }

  mutating func add(_ event: JSON, weight: Int) {
    if samples.count == Self.limit, count.isMultiple(of: stride) {
      samples = samples.indices.filter { $0.isMultiple(of: 2) }.map { samples[$0] }
      stride *= 2
    }
    if count.isMultiple(of: stride) {
      samples.append((event, weight))
      last = nil
    } else {
      last = (event, weight)
    }
    count += 1
  }

  var chosen: [JSON] {
    guard count > 3, let first = samples.first, let last = last ?? samples.last else {
      return kept
    }
    return [first.event, samples[count / 2 / stride].event, last.event]
  }
}
