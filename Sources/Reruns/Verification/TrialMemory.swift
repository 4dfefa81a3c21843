internal import JSONCore
internal import Timelines

/// The states of the best candidate so far that undo and redo of a form go back to.
struct TrialMemory: Sendable {
  /// The entries of the recording that events go back to.
  let targets: Set<Int64>
  /// The entry before the first event.
  let base: Int64
  /// By entry of the recording: after how many events, and the state.
  private var states: [Int64: (count: Int, state: JSON)] = [:]

  init(targets: Set<Int64>, base: Int64) {
    self.targets = targets
    self.base = base
  }

  /// The state after an entry of the recording, if a run reached it.
  func state(after source: Int64) -> (count: Int, state: JSON)? { states[source] }

  /// Records the state after an item that is the `count`th of a candidate.
  mutating func record(_ item: Candidate.Item, count: Int, _ state: @autoclosure () -> JSON) {
    guard targets.contains(item.entry.seq) else { return }
    states[item.entry.seq] = (count, state())
  }

  /// Replaces the states after so many events by those of another candidate.
  mutating func replace(after same: Int, by other: TrialMemory) {
    states = states.filter { $0.value.count <= same }
    states.merge(other.states.filter { $0.value.count > same }) { $1 }
  }

  /// A memory with the same targets, but without states.
  func emptied() -> TrialMemory { TrialMemory(targets: targets, base: base) }
}
