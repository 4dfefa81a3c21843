import JSONCore
import Replaying
import StatesCore
import Synchronization
import Testing
import Timelines
import Wire

@testable import Recorder

/// A live machine in a test, which belongs to the test's own task: jobs run when the test says so.
final class LiveTarget: ControlTarget {
  private struct State {
    var restores: [Int: EntryReference] = [:]
  }

  let name = "purse"
  let timeline = TimelineID(random: 1)
  let liveControl: LiveControl?
  let isReachable: Bool
  private let state = Mutex(State())
  private let jobs = PolledJobs()

  init(_ control: LiveControl, isReachable: Bool = true) {
    liveControl = control
    self.isReachable = isReachable
  }

  func perform(_ job: @escaping @Sendable (AnyObject) -> Void) -> Bool {
    jobs.add(job)
  }

  /// Lets the machine's owner do what waits.
  func run(on machine: AnyObject) {
    for job in jobs.drain() { job(machine) }
  }

  /// Lets the machine go away before it comes to what waits.
  func lose() { _ = jobs.drain() }

  func willRestore(_ moment: EntryReference, number: Int) {
    state.withLock { $0.restores[number] = moment }
  }

  var restores: [Int: EntryReference] { state.withLock { $0.restores } }

  func seq(ofStep number: Int) -> Int64? { Int64(number) }
}

/// A center with one machine, a clock of its own, and the daemon's side of the connection.
final class ControlWorld: Sendable {
  let center: ControlCenter
  let target: LiveTarget
  private let said = Mutex<[String]>([])

  init(_ control: LiveControl, isAllowed: Bool = true, isReachable: Bool = true) {
    let target = LiveTarget(control, isReachable: isReachable)
    self.target = target
    let clock = TestClock()
    center = ControlCenter(isAllowed: isAllowed, now: { clock.now }) { timeline in
      timeline == target.timeline ? target : nil
    }
    self.clock = clock
  }

  let clock: TestClock

  final class TestClock: Sendable {
    private let time = Mutex(Duration.zero)
    var now: Duration { time.withLock { $0 } }
    func advance(by seconds: Int) { time.withLock { $0 += .seconds(seconds) } }
  }

  /// The answers and notifications since the last call.
  func heard() -> [String] {
    said.withLock { said in
      defer { said = [] }
      return said
    }
  }

  /// Sends a command as the daemon does, written as JSON with its id.
  func send(_ json: String) throws {
    let text = json.replacing("$T", with: target.timeline.text)
    let envelope = try Envelope<ToRecorder>(reading: Array(text.utf8), maxMessage: 1 << 20)
    let answer = CommandAnswer(id: envelope.id, maxMessage: 1 << 20) { envelope in
      let text = String(decoding: envelope.encoded(), as: UTF8.self)
      self.said.withLock { $0.append(text) }
    }
    switch envelope.body {
    case .hold(let hold): center.hold(hold, answer)
    case .restore(let restore): center.restore(restore, answer)
    case .dispatch(let dispatch): center.dispatch(dispatch, answer)
    case .step(let step): center.step(step, answer)
    case .resume(let resume): center.resume(resume, answer)
    default: Issue.record("no command: \(json)")
    }
  }
}
