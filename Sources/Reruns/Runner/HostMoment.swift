package import JSONCore
internal import Timelines
import Wire

/// A moment as messages to and from hosts have it: a state and its outputs.
package struct HostMoment: Sendable {
  /// The state; `nil` for a fresh machine's.
  package var state: JSONSlice?
  /// Its outputs, when they are known.
  package var outputs: JSONSlice?

  init(state: JSONSlice?, outputs: JSONSlice?) {
    self.state = state
    self.outputs = outputs
  }

  init(_ snapshot: Snapshot) throws {
    state = try snapshot.state.slice
    outputs = try snapshot.outputs.slice
  }
}
