package import Timelines

/// A live machine that can be controlled if its isolation is known.
package protocol ControlTarget: AnyObject, Sendable {
  /// The name under which the machine is recorded.
  var name: String { get }

  /// The timeline that its steps go to.
  var timeline: TimelineID { get }

  /// Whether its isolation is known.
  var isReachable: Bool { get }

  /// How to control the machine; nil if it cannot be controlled at all.
  var liveControl: LiveControl? { get }

  /// Runs a job with the live machine on its isolation, later. Returns false if the isolation is
  /// not known, or the machine is gone. A job does not run if its machine goes away first.
  @discardableResult
  func perform(_ job: @escaping @Sendable (AnyObject) -> Void) -> Bool

  /// Records, on the isolation, that the next step, with this number, restores a moment.
  func willRestore(_ moment: EntryReference, number: Int)

  /// The entry of a step; nil if the timeline has none.
  func seq(ofStep number: Int) -> Int64?
}

extension RecordedMachine: ControlTarget {
  /// The entry of a step, counted from the one that the timeline began with; nil if some steps are
  /// not recorded, because then a caller could wait for an entry that never comes.
  package func seq(ofStep number: Int) -> Int64? {
    guard isRecordedWhole else { return nil }
    return base.flatMap { number >= $0 ? Int64(number - $0) : nil }
  }
}
