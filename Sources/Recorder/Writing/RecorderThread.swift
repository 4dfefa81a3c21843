import Replaying
import Synchronization
import Timelines

/// What runs on the recorder's thread: takes steps from all machines in turn, and has them written.
struct RecorderThread {
  private let core: RecorderCore
  private let desk: Desk
  private var scribes: [any Scribe] = []
  /// Sleeping and being woken costs the sender of the next step a system call, so after work the
  /// thread looks again by itself for a while.
  private var idleRounds = 0

  init(_ core: RecorderCore) {
    self.core = core
    desk = Desk(core)
  }

  /// How many steps of a machine are written before the next machine has its turn.
  private static let stepsPerTurn = 256
  /// Two milliseconds are short against what people notice, and five hundred looks a second cost
  /// next to nothing.
  private static let pollInterval: Duration = .milliseconds(2)
  /// After a tenth of a second without work the thread sleeps until it is woken.
  private static let pollRounds = 50

  /// Runs until the recorder ends.
  consuming func run() {
    while true {
      let (isEnding, requests, victim) = takeNews()
      // Nobody can send faster than it is written for ever, then.
      if isEnding { for scribe in scribes { scribe.stopTaking() } }
      if let victim { writeLast(of: victim) }
      let isAsked = isEnding || !requests.isEmpty
      let wrote = isAsked ? writeWaiting() : writeRound()
      desk.answerSinks(scribes)
      for request in requests { request() }
      if isEnding { break }
      if wrote {
        idleRounds = 0
        continue
      }
      sleep()
    }
    finish()
  }

  /// Writes the machines that a thread was at work in when it died, and the events that it died of:
  /// before all others, for there may be little time.
  private mutating func writeLast(of victim: UInt) {
    let dying = scribes.filter { $0.isHandling(on: victim) }
    for scribe in dying { _ = scribe.write(upTo: scribe.waiting) }
    for scribe in dying { scribe.writeTrapped(on: victim) }
  }

  private mutating func takeNews() -> (
    isEnding: Bool, requests: [@Sendable () -> Void], victim: UInt?
  ) {
    let (makers, requests, isEnding, filter, victim) = core.shared.withLock { shared in
      defer {
        shared.arriving = []
        shared.requests = []
        shared.victim = nil
        core.isDying.store(false, ordering: .relaxed)
      }
      return (
        shared.arriving, shared.requests, shared.isEnding, shared.filter, shared.victim
      )
    }
    desk.filter = filter
    for make in makers { scribes.append(make(desk)) }
    return (isEnding, requests, victim)
  }

  /// Writes some steps of each machine; false when there were none.
  private mutating func writeRound() -> Bool {
    var wrote = false
    for scribe in scribes { wrote = scribe.write(upTo: Self.stepsPerTurn) || wrote }
    letGo()
    return wrote
  }

  /// Writes what waits now, in turns; what comes meanwhile is not waited for, or whoever sends faster
  /// than it is written would keep those waiting who ask.
  private mutating func writeWaiting() -> Bool {
    var left = scribes.map(\.waiting)
    var wrote = false
    repeat {
      for (index, scribe) in scribes.enumerated() {
        // Also where none wait: the timeline may be still to be opened.
        let count = min(left[index], Self.stepsPerTurn)
        wrote = scribe.write(upTo: count) || wrote
        left[index] -= count
      }
    } while left.contains { $0 > 0 }
    letGo()
    return wrote
  }

  /// Lets go of machines that are gone and written.
  private mutating func letGo() {
    guard scribes.contains(where: \.isDone) else { return }
    for scribe in scribes where scribe.isDone { scribe.close() }
    scribes.removeAll(where: \.isDone)
  }

  private mutating func sleep() {
    guard idleRounds >= Self.pollRounds else {
      idleRounds += 1
      core.alarm.nap(for: Self.pollInterval)
      return
    }
    let scribes = scribes
    core.alarm.sleep {
      scribes.contains { $0.hasWork } || core.shared.withLock { $0.hasNews }
    }
    idleRounds = 0
  }

  private mutating func finish() {
    for scribe in scribes {
      scribe.stopTaking()
      while scribe.write(upTo: .max) {}
      scribe.close()
    }
    scribes = []
    core.leave()
    core.hasEnded.store(true, ordering: .releasing)
  }
}

extension RecorderCore.Shared {
  /// Whether the thread has something to look at here.
  var hasNews: Bool { !arriving.isEmpty || !requests.isEmpty || isEnding }
}

/// Writes the steps of one machine as entries, on the recorder's thread alone.
protocol Scribe: AnyObject {
  /// Whether steps wait, or the machine has gone since the last look.
  var hasWork: Bool { get }
  /// Whether the machine is gone and everything of it is written.
  var isDone: Bool { get }
  /// How many steps wait now.
  var waiting: Int { get }
  /// Writes at most so many steps; false when there were none.
  func write(upTo count: Int) -> Bool
  /// Whether a thread is handling an event of this machine.
  func isHandling(on thread: UInt) -> Bool
  /// Writes the event that a thread was handling when it died there, if it was one of this machine;
  /// what waits must be written before.
  func writeTrapped(on thread: UInt)
  /// Makes the machine leave no more steps.
  func stopTaking()
  /// Closes the timeline.
  func close()
  /// Does what a sink asks for.
  func answer(_ request: SinkRequest)
}
