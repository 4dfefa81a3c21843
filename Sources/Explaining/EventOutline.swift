internal import JSONCore
package import Timelines

/// The events of a recording: what two recordings are compared by.
package struct EventOutline: Sendable {
  private var seqs: [Int64] = []
  private var names: [String] = []
  private var fingerprints: [UInt64] = []

  package init() {}

  package var count: Int { seqs.count }

  package mutating func add(_ entry: Entry) {
    seqs.append(entry.seq)
    // Without an event, another state was given.
    names.append(entry.event == nil ? "" : entry.eventName ?? "")
    fingerprints.append(entry.event?.fingerprint ?? 0)
  }

  /// The first entry that another recording does not have.
  package enum Difference: Hashable, Sendable {
    /// No event of that name corresponds to it.
    case event(Int64)
    /// The event of that name there has another payload.
    case payload(Int64, other: Int64)

    package var seq: Int64 {
      switch self {
      case .event(let seq), .payload(let seq, _): seq
      }
    }
  }

  /// The first entry that `other` does not have: by names, and when it has all names, by payloads.
  ///
  /// `nil` when `other` has the same events and maybe more.
  package func firstDifference(from other: EventOutline) -> Difference? {
    var keys: [String: Int] = [:]
    func key(_ name: String) -> Int {
      if let known = keys[name] { return known }
      keys[name] = keys.count
      return keys.count - 1
    }
    let matches = SequenceAlignment.matches(names.map(key), other.names.map(key))
    for (index, match) in matches.enumerated() where match.old != index {
      return .event(seqs[index])
    }
    if matches.count < seqs.count { return .event(seqs[matches.count]) }
    let different = matches.first { fingerprints[$0.old] != other.fingerprints[$0.new] }
    return different.map { .payload(seqs[$0.old], other: other.seqs[$0.new]) }
  }
}
