import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import Testing
import Timelines
import Wire

@Suite("Remedies in the recorder's log")
struct RecorderRemedyTests {
  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var text: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  @Test("about an invalid address")
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
        Nothing is sent to a daemon: the address "box:7357" is invalid. To fix, set its address to \
        unix:/path, ws://host:port, or wss://host:port.
        """
      ])
    recorder.close()
  }

  @Test("about a missing secret")
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
        Nothing is sent to ws://127.0.0.1:7357. Recording over a network needs a secret of at least \
        16 bytes, and this one has 0. To fix, set DEBUGD_SECRET_FILE to the path of the daemon's \
        secret.
        """
      ])
    recorder.close()
  }

  @Test("about more redacted text than can be remembered")
  func fullMemory() throws {
    let log = Log()
    let recording = MemoryRecording { $0.log = { log.add($0) } }
    let machine = recording.recorder.record(Machine(Purse()), as: "purse")
    machine.send(.locked(code: String(repeating: "secret-", count: 10_000)))
    #expect(recording.recorder.flush(within: .seconds(120)))
    let advice = """
      purse redacts more values than the recorder can remember. From now on it also hides text that \
      only might contain one of them. To fix, redact fewer or shorter values.
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
        This app's options do not let it run reducers for the daemon. To fix, register an executable \
        that makes the machine: debugd host PATH
        """)
  }
}
