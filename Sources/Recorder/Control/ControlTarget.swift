package import Timelines

/// A live machine that can be controlled, as far as its isolation is known.
package protocol ControlTarget: AnyObject, Sendable {
  /// What the machine is recorded as.
  var name: String { get }

  /// The timeline that its steps go to now.
  var timeline: TimelineID { get }

  /// Whether its isolation is known.
  var isReachable: Bool { get }

  /// What the machine does with a command; nil when it can not be controlled at all.
  var liveControl: LiveControl? { get }

  /// Runs a job with the live machine on its isolation, later; false when that is not known, or the
  /// machine is gone. A job whose machine goes away before its turn is not run.
  @discardableResult
  func perform(_ job: @escaping @Sendable (AnyObject) -> Void) -> Bool

  /// Says, on the isolation, that the step of that number, about to be made, restores a moment.
  func willRestore(_ moment: EntryReference, number: Int)

  /// The entry that stands for a step of the machine; nil when it is none of the timeline's.
  func seq(ofStep number: Int) -> Int64?
}

extension RecordedMachine: ControlTarget {
  /// The entry that stands for a step, counted from the one that the timeline began with; nil where
  /// some are left out, for nobody is to wait for an entry that never comes.
  package func seq(ofStep number: Int) -> Int64? {
    guard isRecordedWhole else { return nil }
    return base.flatMap { number >= $0 ? Int64(number - $0) : nil }
  }
}
