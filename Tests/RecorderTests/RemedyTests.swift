import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import Testing
import Timelines

@Suite("What the recorder's log advises")
struct RecorderRemedyTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var text: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @Test("about an address that is none")
  func address() {
    let log = Log()
    var options = RecorderOptions()
    options.destinations = [.daemon(DaemonDestination(address: "box:7357"))]
    options.log = { log.add($0) }
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    #expect(
      log.text == [
        """
        box:7357 is no place of a daemon. To fix, write unix:/path, ws://host:port or \
        wss://host:port.
        """
      ])
    recorder.close()
  }

  @Test("about a secret that is missing")
  func secret() {
    let log = Log()
    var options = RecorderOptions()
    options.destinations = [.daemon(DaemonDestination(address: "ws://127.0.0.1:7357"))]
    options.log = { log.add($0) }
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    #expect(
      log.text == [
        """
        A daemon that is reached by its port needs a secret of 16 bytes or more. To fix, name its \
        file in DEBUGD_SECRET_FILE.
        """
      ])
    recorder.close()
  }

  @Test("about more hidden text than there is room for")
  func fullMemory() throws {
    let log = Log()
    let recording = MemoryRecording { $0.log = { log.add($0) } }
    let machine = recording.recorder.record(Machine(Purse()), as: "purse")
    machine.send(.locked(code: String(repeating: "secret-", count: 10_000)))
    #expect(recording.recorder.flush(within: .seconds(120)))
    let advice = """
      From now on it also hides text that only might contain one of the values. To fix, hide fewer \
      or shorter values.
      """
    #expect(log.text.count == 1 && log.text.first?.hasSuffix(advice) == true, "\(log.text)")
    #expect(recording.recorder.statistics.overredacted == 1)
  }

  @Test("about an app that runs no reducers")
  func noHost() async throws {
    let handler = RecorderCommandHandler(
      host: nil, control: ControlCenter(isAllowed: false, now: { .zero }) { _ in nil },
      capture: { _, _ in })
    let answers = Answers()
    let reduce = try ToRecorder.Reduce(#"{"make":"X.self","seq":0,"steps":[]}"#)
    handler.handle(.reduce(reduce), answer: answers.answer)
    guard case .error(let error)? = await answers.all().first else {
      Issue.record("it runs")
      return
    }
    #expect(
      error.message == """
        This app runs no reducers for the debugger: its options turn that off. To fix, give the \
        daemon the executable that makes the machine: debugd host PATH
        """)
  }
}
