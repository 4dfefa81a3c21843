package import Replaying
import Synchronization
package import Timelines

/// A machine that is recorded: its name, its timeline, and a way to its isolation.
///
/// The recorder keeps one for each machine until the machine is gone.
package final class RecordedMachine: Sendable {
  /// How states and events get into entries.
  package enum Encoding: Hashable, Sendable {
    /// As they encode themselves.
    case codable
    /// As reflection shows them: they can be looked at, not sent back.
    case reflected
    /// As they encode themselves, on the machine's thread, because they cannot leave it.
    case onCaller

    /// The word for it in headers; none where values can be made again.
    var word: String? {
      switch self {
      case .codable: nil
      case .reflected: "reflected"
      case .onCaller: "caller"
      }
    }
  }

  /// Runs on the machine's isolation with the live machine.
  package typealias Job = @Sendable (AnyObject) -> Void

  /// What the machine is recorded as.
  package let name: String
  /// The kind of machine.
  package let kind: String
  /// The identity that causes know it by.
  package let identity: UInt
  /// How states and events get into entries.
  package let encoding: Encoding
  /// What of it must not be seen, besides what the type of its states declares.
  let redaction: RedactionRules

  private struct Variable: Sendable {
    var timeline: TimelineID
    var filter: EventFilter?
    var perform: (@Sendable (@escaping Job) -> Bool)?
    var endReach: (@Sendable () -> Void)?
    var control: LiveControl?
    var replay: Replay?
    var base: Int?
    var polled: PolledJobs?
  }

  private let variable: ForkSafeMutex<Variable>
  /// The last entry of its timeline that was written; -1 for none.
  let lastSeq = Atomic<Int64>(-1)
  /// The steps that were taken from the machine and that no sink has yet.
  let inHand = Atomic<Int>(0)
  private let waiting: @Sendable () -> Int
  private let noteRestore: @Sendable (EntryReference, Int) -> Void
  private let commonFilter: @Sendable () -> EventFilter

  init(
    name: String, kind: String, identity: UInt, encoding: Encoding, timeline: TimelineID,
    redaction: RedactionRules = [],
    commonFilter: @escaping @Sendable () -> EventFilter = { .all },
    waiting: @escaping @Sendable () -> Int = { 0 },
    noteRestore: @escaping @Sendable (EntryReference, Int) -> Void
  ) {
    self.waiting = waiting
    self.commonFilter = commonFilter
    self.name = name
    self.kind = kind
    self.identity = identity
    self.encoding = encoding
    self.redaction = redaction
    self.noteRestore = noteRestore
    variable = ForkSafeMutex(Variable(timeline: timeline))
  }

  /// The timeline that its steps go to; another one after the daemon's was deleted.
  package internal(set) var timeline: TimelineID {
    get { variable.withLock { $0.timeline } }
    set { variable.withLock { $0.timeline = newValue } }
  }

  /// Its timeline, in a forked child, where the lock may be held for good.
  var timelineIfAvailable: TimelineID? { variable.withLockIfAvailable { $0.timeline } }

  /// Which of its events are recorded; nil when the recorder's options say so.
  package var filter: EventFilter? {
    get { variable.withLock { $0.filter } }
    set { variable.withLock { $0.filter = newValue } }
  }

  /// How many of its entries no sink has yet.
  var unwritten: Int {
    let steps = waiting() + inHand.load(ordering: .relaxed)
    // Entry 0 comes with the first of them at the latest.
    return steps > 0 && lastSeq.load(ordering: .relaxed) < 0 ? steps + 1 : steps
  }

  /// Whether each of its steps becomes an entry.
  var isRecordedWhole: Bool { (filter ?? commonFilter()) == .all }

  /// How the live machine is driven, as soon as somebody may.
  package internal(set) var liveControl: LiveControl? {
    get { variable.withLock { $0.control } }
    set { variable.withLock { $0.control = newValue } }
  }

  /// How a fresh one is made and run again, when that is known.
  package internal(set) var replay: Replay? {
    get { variable.withLock { $0.replay } }
    set { variable.withLock { $0.replay = newValue } }
  }

  /// The number of the machine's step that is entry 0 of its timeline; nil before it begins.
  package internal(set) var base: Int? {
    get { variable.withLock { $0.base } }
    set { variable.withLock { $0.base = newValue } }
  }

  /// Whether the isolation of the machine is known, so that it can be controlled.
  package var isReachable: Bool { variable.withLock { $0.perform != nil } }

  /// Runs a job on the machine's isolation; false when that is not known, or the machine is gone.
  ///
  /// The job gets the live machine: a `Machine`, a `StateForm`, a `Statechart`, a `Dispatcher`, a
  /// `FeedbackRun`. It is not run when the machine goes away before its turn.
  @discardableResult
  package func perform(_ job: @escaping Job) -> Bool {
    let perform = variable.withLock { $0.perform }
    return perform?(job) ?? false
  }

  /// Says that the step of that number, which is about to be made, restores the state of an entry.
  ///
  /// To be called on the machine's isolation, right before the restore.
  package func willRestore(_ moment: EntryReference, number: Int) {
    noteRestore(moment, number)
  }

  /// The jobs that wait for the machine's owner; from the first call on the machine is reachable.
  func takePolledJobs() -> [Job] {
    if let polled = variable.withLock({ $0.polled }) { return polled.take() }
    // Where the isolation is known, jobs go there.
    guard !isReachable else { return [] }
    let polled = PolledJobs()
    variable.withLock { $0.polled = polled }
    reach(by: { polled.add($0) })
    return []
  }

  /// Says how its isolation is reached, and what to do when it is not to be reached any more.
  func reach(
    by perform: @escaping @Sendable (@escaping Job) -> Bool,
    end: @escaping @Sendable () -> Void = {}
  ) {
    let former = variable.withLock { variable in
      defer { (variable.perform, variable.endReach) = (perform, end) }
      return variable.endReach
    }
    former?()
  }

  /// Says that the machine is gone.
  func leave() {
    // Jobs that nobody asks for any more are let go of behind the lock.
    let (end, polled) = variable.withLock { variable in
      defer { (variable.perform, variable.endReach, variable.polled) = (nil, nil, nil) }
      return (variable.endReach, variable.polled)
    }
    end?()
    withExtendedLifetime(polled) {}
  }
}
