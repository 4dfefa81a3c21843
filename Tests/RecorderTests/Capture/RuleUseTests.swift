import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import Testing

@Suite("Redaction rules that match nothing")
struct RuleUseTests {
  private struct Device: Codable {
    var name = "phone"
    var pin: String?
  }

  private struct Login: Reducible, Codable {
    var user = ""
    var password = ""
    var token: String?
    var devices: [Device] = []
    var notes: [String: String] = [:]

    enum Event: Codable {
      case login(user: String, password: String)
      case added(Device)
      case logout(reason: String)
    }

    static var outputs: Outputs<Login> { Output("header", \.user) }

    static func reduce(state: Login, event: Event) -> Login {
      var next = state
      switch event {
      case .login(let user, let password): (next.user, next.password) = (user, password)
      case .added(let device): next.devices.append(device)
      case .logout: (next.user, next.password) = ("", "")
      }
      return next
    }
  }

  /// A login whose own rules have a typo.
  private struct Strict: Reducible, Codable, Redactable {
    var count = 0
    enum Event: Codable { case login(password: String) }
    static var redaction: RedactionRules { [.events("lgoin", "/password")] }
    static func reduce(state: Strict, event: Event) -> Strict { Strict(count: state.count + 1) }
  }

  private final class Session: Sendable {
    let lines = Mutex<[String]>([])

    func recorder(_ rules: RedactionRules) -> StateRecorder {
      var options = RecorderOptions()
      options.destinations = [.memory(MemorySink())]
      options.redaction = rules
      options.log = { line in self.lines.withLock { $0.append(line) } }
      return StateRecorder(app: "Tests", options: options, environment: RecorderEnvironment([:]))
    }
  }

  /// Records a session with these rules, and returns the log and the count of such rules.
  private func record(
    _ rules: RedactionRules, _ events: [Login.Event], beside counts: Bool = false
  ) -> (lines: [String], count: Int) {
    let session = Session()
    let recorder = session.recorder(rules)
    let machine = recorder.record(Machine(Login()), as: "login")
    let form = counts ? recorder.record(StateForm(state: [1]), as: "counts") : nil
    for event in events { machine.send(event) }
    form?.apply { $0.append(2) }
    recorder.close(within: .seconds(120))
    return (session.lines.withLock(\.self), recorder.statistics.unmatchedRules)
  }

  private static let events: [Login.Event] = [
    .login(user: "ann", password: "tangerine"), .added(Device()), .added(Device()),
  ]

  @Test(
    "are reported at the end if they name what is not there",
    arguments: [
      ("/pasword", #"rule "/pasword" matched nothing in 4 entries of login."#, "password"),
      ("/pin", #"rule "/pin" matched nothing in 4 entries of login."#, nil),
      ("/devices/*/pinn", #"rule "/devices/*/pinn" matched nothing in 4 entries"#, "pin"),
      ("/**/pasword", #"rule "/**/pasword" matched nothing in 4 entries"#, nil),
    ] as [(String, String, String?)])
  func state(pattern: String, line: String, similar: String?) throws {
    let rule = RedactionRule.hide(try RedactionPattern(pattern))
    let (lines, count) = record([rule], Self.events)
    #expect(lines.count == 1 && count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix("The redaction \(line)") == true, "\(lines)")
    let advice = similar.map { #"To fix, correct it: there is "\#($0)"."# }
    #expect(lines.first?.hasSuffix(advice ?? "To fix, correct or remove it.") == true, "\(lines)")
  }

  @Test(
    "are reported if no event or output has that name",
    arguments: [
      (.events("lgoin", "/password"), #"for the event "lgoin/password""#, "login"),
      (.events("login", "/pasword"), #"for the event "login/pasword""#, "password"),
      (.events("purchased"), #"for the event "purchased""#, nil),
      (.hide(output: "hedaer"), #"for the output "hedaer""#, "header"),
    ] as [(RedactionRule, String, String?)])
  func schema(rule: RedactionRule, quotation: String, similar: String?) {
    let (lines, count) = record([rule], Self.events)
    #expect(lines.count == 1 && count == 1, "\(lines)")
    #expect(lines.first?.hasPrefix("The redaction rule \(quotation) matched nothing") == true)
    #expect(similar.map { lines.first?.contains("there is \"\($0)\"") == true } ?? true)
  }

  @Test(
    "are silent if what they hide may come yet",
    arguments: [
      // Nil, an empty array, a dictionary without that key, an event that was not sent.
      .hide("/token"), .hide("/devices/*/pin"), .hide("/notes/anna"), .events("logout", "/reason"),
      // A rule for everything that may come, and one for another machine's state.
      .hide("/**/secret"), .hide(\Device.name), .hide("/devices/7/name"),
    ] as [RedactionRule])
  func rare(rule: RedactionRule) {
    for events in [[], Self.events] {
      // No other machine, for which the rule may be meant.
      let (lines, count) = record([rule], events)
      #expect(lines.isEmpty && count == 0, "\(lines)")
    }
  }

  @Test("are silent if they match in one machine of several, or late")
  func elsewhere() {
    let rules: RedactionRules = [
      .hide("/password"), .events("login", "/password"), .hide(output: "header"),
    ]
    let (lines, count) = record(rules, Self.events, beside: true)
    #expect(lines.isEmpty && count == 0, "\(lines)")
  }

  @Test("are reported once for all machines")
  func once() {
    let (lines, count) = record([.hide("/pasword")], Self.events + Self.events)
    #expect(lines.count == 1 && count == 1, "\(lines)")
    #expect(lines.first?.contains("in 7 entries of login") == true, "\(lines)")
  }

  @Test("are reported at the beginning if a type declares them and has no such event")
  func declared() {
    let session = Session()
    let recorder = session.recorder([])
    let machine = recorder.record(Machine(Strict()), as: "strict")
    machine.send(.login(password: "tangerine"))
    #expect(recorder.flush(within: .seconds(120)))
    let expected = [
      """
      The redaction rule for the event "lgoin/password" cannot match: strict has no such event or output. \
      To fix, correct it: there is "login".
      """
    ]
    #expect(session.lines.withLock(\.self) == expected)
    recorder.close(within: .seconds(120))
    #expect(session.lines.withLock(\.self) == expected)
    #expect(recorder.statistics.unmatchedRules == 1)
  }
}
