package import Replaying
import Synchronization
package import Timelines

/// A machine that is recorded: its name, its timeline, and how to reach its isolation.
///
/// The recorder keeps one of these for each machine until the machine is gone.
package final class RecordedMachine: Sendable {
  /// How states and events are encoded.
  package enum Encoding: Hashable, Sendable {
    /// With their own `encode(to:)`.
    case codable
    /// By reflection: they can be inspected, but not decoded.
    case reflected
    /// With their own `encode(to:)`, on the machine's thread, because they are not `Sendable`.
    case onCaller

    /// The value in timeline headers; nil if values can be decoded again.
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

  /// The name under which the machine is recorded.
  package let name: String
  package let kind: String
  /// The identity of the machine in a `Cause`.
  package let identity: UInt
  /// How states and events get into entries.
  package let encoding: Encoding
  /// The redaction rules, in addition to those that the type of its states declares.
  let redaction: RedactionRules

  private struct Variable: Sendable {
    var timeline: TimelineID
    var filter: EventFilter?
    var perform: (@Sendable (@escaping Job) -> Bool)?
    var onDetach: (@Sendable () -> Void)?
    var control: LiveControl?
    var replay: Replay?
    var base: Int?
    var polled: PolledJobs?
  }

  private let variable: ForkSafeMutex<Variable>
  /// The seq of the last written entry of its timeline, or -1.
  let lastSeq = Atomic<Int64>(-1)
  /// The steps that were read from the inbox but have not reached a sink.
  let inFlight = Atomic<Int>(0)
  private let waiting: @Sendable () -> Int
  private let lost: @Sendable () -> Int
  /// Whether entry 0 is written before the first step.
  private let startsWithoutStep: Bool
  private let recordRestore: @Sendable (EntryReference, Int) -> Void
  private let commonFilter: @Sendable () -> EventFilter

  init(
    name: String, kind: String, identity: UInt, encoding: Encoding, timeline: TimelineID,
    redaction: RedactionRules = [],
    commonFilter: @escaping @Sendable () -> EventFilter = { .all },
    startsWithoutStep: Bool = false,
    waiting: @escaping @Sendable () -> Int = { 0 },
    lost: @escaping @Sendable () -> Int = { 0 },
    recordRestore: @escaping @Sendable (EntryReference, Int) -> Void
  ) {
    self.waiting = waiting
    self.lost = lost
    self.startsWithoutStep = startsWithoutStep
    self.commonFilter = commonFilter
    self.name = name
    self.kind = kind
    self.identity = identity
    self.encoding = encoding
    self.redaction = redaction
    self.recordRestore = recordRestore
    variable = ForkSafeMutex(Variable(timeline: timeline))
  }

  /// The timeline of its steps. It changes if the daemon's copy is deleted.
  package internal(set) var timeline: TimelineID {
    get { variable.withLock { $0.timeline } }
    set { variable.withLock { $0.timeline = newValue } }
  }

  /// The timeline, unless another thread holds the lock: in a forked child that thread may be gone.
  var timelineIfAvailable: TimelineID? { variable.withLockIfAvailable { $0.timeline } }

  /// Which of its events are recorded; nil to use the filter in the recorder's options.
  package var filter: EventFilter? {
    get { variable.withLock { $0.filter } }
    set { variable.withLock { $0.filter = newValue } }
  }

  /// The number of its entries that have not reached a sink.
  var unwritten: Int {
    // A step that is read in between would be counted twice, so retry until nothing moved.
    var (steps, inFlight) = (0, -1)
    for _ in 0..<100 {
      let before = self.inFlight.load(ordering: .acquiring)
      steps = waiting()
      inFlight = self.inFlight.load(ordering: .acquiring)
      if inFlight == before { break }
    }
    steps += inFlight
    guard lastSeq.load(ordering: .relaxed) < 0 else { return steps }
    // Entry 0 is written with the first step at the latest.
    return steps > 0 || startsWithoutStep ? steps + 1 : 0
  }

  /// The number of lost steps that the recorder has not counted yet.
  var uncountedLosses: Int { lost() }

  /// Whether each of its steps becomes an entry.
  var isRecordedWhole: Bool { (filter ?? commonFilter()) == .all }

  /// How to control the live machine, if control is allowed.
  package internal(set) var liveControl: LiveControl? {
    get { variable.withLock { $0.control } }
    set { variable.withLock { $0.control = newValue } }
  }

  /// How to make and rerun a fresh machine, if its types allow that.
  package internal(set) var replay: Replay? {
    get { variable.withLock { $0.replay } }
    set { variable.withLock { $0.replay = newValue } }
  }

  /// The number of the step that became entry 0 of the timeline; nil before the timeline begins.
  package internal(set) var base: Int? {
    get { variable.withLock { $0.base } }
    set { variable.withLock { $0.base = newValue } }
  }

  /// Whether the machine's isolation is known, which controlling it requires.
  package var isReachable: Bool { variable.withLock { $0.perform != nil } }

  /// Runs a job on the machine's isolation. Returns false if the isolation is not known, or the
  /// machine is gone.
  ///
  /// The job receives the live machine: a `Machine`, a `StateForm`, a `Statechart`, a `Dispatcher`,
  /// or a `FeedbackRun`. It does not run if the machine goes away first.
  @discardableResult
  package func perform(_ job: @escaping Job) -> Bool {
    let perform = variable.withLock { $0.perform }
    return perform?(job) ?? false
  }

  /// Records that the next step, with this number, restores the state of an entry.
  ///
  /// Call it on the machine's isolation, right before the restore.
  package func willRestore(_ moment: EntryReference, number: Int) {
    recordRestore(moment, number)
  }

  /// Returns and removes the jobs that wait for the machine's owner. The first call makes the
  /// machine reachable.
  func drainPolledJobs() -> [Job] {
    if let polled = variable.withLock({ $0.polled }) { return polled.drain() }
    // If the isolation is known, jobs run there.
    guard !isReachable else { return [] }
    let polled = PolledJobs()
    variable.withLock { $0.polled = polled }
    attach(perform: { polled.add($0) })
    return []
  }

  /// Sets how to run a job on the machine's isolation, and what to call when that ends.
  func attach(
    perform: @escaping @Sendable (@escaping Job) -> Bool,
    end: @escaping @Sendable () -> Void = {}
  ) {
    let former = variable.withLock { variable in
      defer { (variable.perform, variable.onDetach) = (perform, end) }
      return variable.onDetach
    }
    former?()
  }

  /// Ends access to the machine, because it is gone.
  func detach() {
    // Release the remaining jobs outside the lock: their deinitializers may call into the app.
    let (end, polled) = variable.withLock { variable in
      defer { (variable.perform, variable.onDetach, variable.polled) = (nil, nil, nil) }
      return (variable.onDetach, variable.polled)
    }
    end?()
    withExtendedLifetime(polled) {}
  }
}
