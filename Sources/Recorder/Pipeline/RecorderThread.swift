import Replaying
import Synchronization
import Timelines

/// The loop of the recorder's thread: writes the steps of all machines in turn.
struct RecorderThread {
  private let core: RecorderCore
  private let fanout: SinkFanout
  private var pipelines: [any MachinePipeline] = []
  /// Waking the thread costs the next sender a system call, so after work the thread keeps polling
  /// for a while.
  private var idleRounds = 0

  init(_ core: RecorderCore) {
    self.core = core
    fanout = SinkFanout(core)
  }

  /// The number of steps of one machine to write before the next machine's turn.
  private static let stepsPerTurn = 256
  /// Two milliseconds are too short for people to notice, and five hundred polls a second cost next
  /// to nothing.
  private static let pollInterval: Duration = .milliseconds(2)
  /// After a tenth of a second without work, the thread sleeps until it is woken.
  private static let pollRounds = 50

  consuming func run() {
    while true {
      let (isEnding, requests, crashedThread) = receiveWork()
      // Otherwise senders that are faster than the thread would keep it from ending.
      if isEnding { for pipeline in pipelines { pipeline.stopAccepting() } }
      if let crashedThread { writeCrashed(on: crashedThread) }
      let isAsked = isEnding || !requests.isEmpty
      let wrote = isAsked ? writeWaiting() : writeRound()
      fanout.forwardSinkRequests(pipelines)
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

  /// Writes the machines in which a thread crashed, and the events that it was handling. They come
  /// first, because time may be short.
  private mutating func writeCrashed(on crashedThread: UInt) {
    let dying = pipelines.filter { $0.isHandling(on: crashedThread) }
    for pipeline in dying { _ = pipeline.write(upTo: pipeline.waiting) }
    for pipeline in dying { pipeline.writeTrapped(on: crashedThread) }
  }

  private mutating func receiveWork() -> (
    isEnding: Bool, requests: [@Sendable () -> Void], crashedThread: UInt?
  ) {
    let (makers, requests, isEnding, filter, crashedThread) = core.shared.withLock { shared in
      defer {
        shared.arriving = []
        shared.requests = []
        shared.crashedThread = nil
        core.isCrashing.store(false, ordering: .relaxed)
      }
      return (
        shared.arriving, shared.requests, shared.isEnding, shared.filter, shared.crashedThread
      )
    }
    fanout.filter = filter
    for make in makers { pipelines.append(make(fanout)) }
    return (isEnding, requests, crashedThread)
  }

  /// Writes some steps of each machine; false if there were none.
  private mutating func writeRound() -> Bool {
    var wrote = false
    for pipeline in pipelines { wrote = pipeline.write(upTo: Self.stepsPerTurn) || wrote }
    removeFinished()
    return wrote
  }

  /// Writes everything that waits now, in turns. It does not wait for newer steps, because a fast
  /// sender would block the callers of `flush` forever.
  private mutating func writeWaiting() -> Bool {
    var left = pipelines.map(\.waiting)
    var wrote = false
    repeat {
      for (index, pipeline) in pipelines.enumerated() {
        // Even if no step waits, because the timeline may still have to be opened.
        let count = min(left[index], Self.stepsPerTurn)
        wrote = pipeline.write(upTo: count) || wrote
        left[index] -= count
      }
    } while left.contains { $0 > 0 }
    removeFinished()
    return wrote
  }

  /// Removes machines that are gone and completely written.
  private mutating func removeFinished() {
    guard pipelines.contains(where: \.isDone) else { return }
    for pipeline in pipelines where pipeline.isDone { pipeline.close() }
    pipelines.removeAll(where: \.isDone)
  }

  private mutating func sleep() {
    guard idleRounds >= Self.pollRounds else {
      idleRounds += 1
      core.wakeSignal.sleep(for: Self.pollInterval)
      return
    }
    let pipelines = pipelines
    core.wakeSignal.sleep {
      pipelines.contains { $0.hasWork } || core.shared.withLock { $0.hasWork }
    }
    idleRounds = 0
  }

  private mutating func finish() {
    for pipeline in pipelines {
      pipeline.stopAccepting()
      while pipeline.write(upTo: .max) {}
      pipeline.close()
    }
    pipelines = []
    core.reportLosses()
    core.reportUnmatchedRules()
    core.finishSinks()
    core.hasEnded.store(true, ordering: .releasing)
  }
}

extension RecorderCore.Shared {
  /// Whether there is work for the thread.
  var hasWork: Bool { !arriving.isEmpty || !requests.isEmpty || isEnding }
}

/// Writes the steps of one machine as entries, on the recorder's thread only.
protocol MachinePipeline: AnyObject {
  /// Whether steps wait, or the machine is gone.
  var hasWork: Bool { get }
  /// Whether the machine is gone, and everything of it is written.
  var isDone: Bool { get }
  /// The number of steps that wait.
  var waiting: Int { get }
  /// Writes at most this many steps; false if there were none.
  func write(upTo count: Int) -> Bool
  /// Whether a thread is handling an event of this machine.
  func isHandling(on thread: UInt) -> Bool
  /// Writes the event that a thread was handling when it crashed, if it was one of this machine.
  /// Everything that waits must be written before.
  func writeTrapped(on thread: UInt)
  /// Stops accepting steps from the machine.
  func stopAccepting()
  /// Closes the timeline.
  func close()
  /// Handles the request of a sink.
  func answer(_ request: SinkRequest)
}
