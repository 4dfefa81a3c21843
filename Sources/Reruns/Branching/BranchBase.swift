package import JSONCore
internal import TimelineStore
internal import Timelines
import Wire

/// Where a host starts: a state and its outputs.
package struct BranchBase: Sendable {
  /// The state; `nil` for a fresh machine's.
  package var state: JSONSlice?
  /// Its outputs, when they are known.
  package var outputs: JSONSlice?

  /// The moment after an entry. If its state was not captured, the moment is computed from the last
  /// captured one.
  static func moment(
    _ place: EntryReference, header: Header, store: Store, hosts: any ReducerHosts
  ) async throws -> BranchBase {
    let known = try await store.read { reader in
      try reader.moment(of: reader.lineage(of: place.timeline), at: place.seq)
    }
    switch known {
    case .known(let snapshot)?: return try BranchBase(snapshot)
    case .thinned?:
      return try await ThinnedRun.find(endingAt: place, store: store)
        .snapshot(header: header, store: store, hosts: hosts)
    case .lost(let range)?:
      throw Refusal(
        .thinned, "The state after entry \(place.seq) is not known: \(range.why).", path: "seq",
        timeline: place.timeline)
    case nil:
      throw Refusal(
        .notFound, "The timeline \(place.timeline) has no entry \(place.seq).", path: "seq",
        timeline: place.timeline)
    }
  }

  init(state: JSONSlice?, outputs: JSONSlice?) {
    self.state = state
    self.outputs = outputs
  }

  init(_ snapshot: Snapshot) throws {
    state = try snapshot.state.slice
    outputs = try snapshot.outputs.slice
  }
}
