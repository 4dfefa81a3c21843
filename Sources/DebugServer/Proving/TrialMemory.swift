internal import JSONCore
internal import Timelines

/// The states of the best candidate so far to which the undo and redo of a form go back.
struct TrialMemory: Sendable {
  /// The entries of the recording to which events go back.
  let targets: Set<Int64>
  /// The entry before the first event.
  let base: Int64
  /// By the entries of the recording: after how many events, and the state.
  private var states: [Int64: (count: Int, state: JSON)] = [:]

  /// Nothing is known yet.
  init(targets: Set<Int64>, base: Int64) {
    self.targets = targets
    self.base = base
  }

  /// The state after an entry of the recording, when a run came by it.
  func state(after source: Int64) -> (count: Int, state: JSON)? { states[source] }

  /// Takes note of the state after an item that is the `count`th of a candidate.
  mutating func note(_ item: Candidate.Item, count: Int, _ state: @autoclosure () -> JSON) {
    guard targets.contains(item.entry.seq) else { return }
    states[item.entry.seq] = (count, state())
  }

  /// Forgets what comes after so many events, and takes what a run of another candidate found there.
  mutating func replace(after same: Int, by other: TrialMemory) {
    states = states.filter { $0.value.count <= same }
    states.merge(other.states.filter { $0.value.count > same }) { $1 }
  }

  /// Forgets all states, not what is looked for.
  func emptied() -> TrialMemory { TrialMemory(targets: targets, base: base) }
}
