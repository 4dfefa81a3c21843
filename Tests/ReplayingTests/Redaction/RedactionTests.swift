import JSONCore
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines

@Suite("Replaying: redaction")
struct RedactionTests {
  struct Session: Reducible, Codable, Equatable {
    struct User: Codable, Equatable { var name: String, email: String }
    var token: String?
    var pin = 0
    var isAdmin = false
    var users: [String: User] = [:]
    var log: [String] = []

    enum Event: Codable {
      case login(user: String, password: String)
      case gotToken(String, admin: Bool)
      case noted(String)
      case invited(User)
    }

    static func reduce(state: Session, event: Event) -> Session {
      var next = state
      switch event {
      case .login(let user, let password): next.log.append("\(user) tries \(password)")
      case .gotToken(let token, let admin): (next.token, next.isAdmin) = (token, admin)
      case .noted(let text): next.log.append(text)
      case .invited(let user): next.users[user.name] = user
      }
      return next
    }

    static var outputs: Outputs<Session> {
      Output("header") { $0.token.map { "Bearer \($0)" } }
      Output("count") { $0.log.count }
    }
  }

  private static let rules: RedactionRules = [
    .hide(\Session.token), .hide(\Session.isAdmin), .hide("/users/*/email"),
    .events("login", "/password"), .events("gotToken", "/_0"),
  ]

  private func run(
    _ events: [Session.Event], _ rules: RedactionRules = Self.rules
  ) throws -> [EntryDraft] {
    let machine = Machine(Session())
    var writer = RunWriter(StatesAppearance<Session>(), of: machine.kernel, redaction: rules)
    var drafts = [try writer.begin(with: machine.state, after: nil, t: 0)]
    var problem: (any Error)?
    machine.kernel.use { step in
      do { drafts.append(try writer.write(step, t: Int64(step.number))) } catch { problem = error }
    }
    for event in events { machine.send(event) }
    if let problem { throw problem }
    return drafts
  }

  private func text(_ drafts: [EntryDraft]) -> String {
    drafts.map { String(decoding: $0.line, as: UTF8.self) }.joined(separator: "\n")
  }

  private func pointers(_ draft: EntryDraft) -> [String] {
    draft.redacted.map(\.pointer.description).sorted()
  }

  @Test("no line has a secret, wherever it appears")
  func nothingLeaks() throws {
    let drafts = try run([
      .login(user: "ann", password: "hunter22"), .gotToken("9f2c1b7e", admin: true),
      .noted("the header was Bearer 9f2c1b7e"),
      .invited(.init(name: "bob", email: "bob@example.org")), .noted("mail to bob@example.org"),
      .noted("still hunter22"), .gotToken("another0", admin: false), .noted("9f2c1b7e again"),
    ])
    let text = text(drafts)
    for secret in ["hunter22", "9f2c1b7e", "bob@example.org", "another0"] {
      #expect(!text.contains(secret), "\(secret) in \(text)")
    }
    let timeline = try Timeline.reading(drafts)
    #expect(timeline.disagreements().isEmpty)
    #expect(timeline.state(at: 1)?["log"] == ["ann tries •••"])
    #expect(timeline.outputs(at: 2)?["header"] == "Bearer •••")
    #expect(timeline.state(at: 2)?["isAdmin"] == false)
    #expect(timeline.entries[1].event?["login"]?.value == ["user": "ann", "password": ""])
    #expect(timeline.entries[2].event?["gotToken"]?.value == ["_0": "", "admin": true])
  }

  @Test("each entry lists all values hidden after it, also those equal to the stand-in")
  func lists() throws {
    let drafts = try run([
      .invited(.init(name: "bob", email: "bob@example.org")), .noted("hello"),
      .login(user: "ann", password: "hunter22"),
    ])
    #expect(pointers(drafts[0]) == ["/state/isAdmin", "/state/token"])
    #expect(
      pointers(drafts[2]) == ["/state/isAdmin", "/state/token", "/state/users/bob/email"])
    #expect(
      pointers(drafts[3]) == [
        "/event/login/password", "/state/isAdmin", "/state/log/1", "/state/token",
        "/state/users/bob/email",
      ])
    // The first event has the same text, although no rule applies to it.
    #expect(
      pointers(drafts[1]) == [
        "/event/invited/_0/email", "/state/isAdmin", "/state/token", "/state/users/bob/email",
      ])
  }

  @Test("a secret key does not appear in the list of values hidden below it")
  func secretKeys() throws {
    let drafts = try run([
      .gotToken("abcdefgh1234", admin: false),
      .invited(.init(name: "abcdefgh1234", email: "ann@example.org")), .noted("later"),
      .invited(.init(name: "bob", email: "bob@example.org")),
    ])
    #expect(!text(drafts).contains("abcdefgh1234"), "\(text(drafts))")
    for draft in drafts.dropFirst(2) {
      let places = pointers(draft)
      #expect(places.contains("/state/users/•••"))
      #expect(!places.contains("/state/users/•••/email"), "it lies in what is listed")
    }
    #expect(pointers(drafts[4]).contains("/state/users/bob/email"))
    let timeline = try Timeline.reading(drafts)
    #expect(timeline.state(at: 4)?["users"]?["•••"]?["email"] == "")
  }

  @Test("hashes show equality on request, and differ between the keys of processes")
  func equality() throws {
    var rules = Self.rules
    rules.showsEquality = true
    let drafts = try run(
      [.gotToken("9f2c1b7e", admin: true), .noted("a"), .gotToken("other-one", admin: true)], rules)
    let hashes = drafts.map { draft in
      draft.redacted.first { $0.pointer.description == "/state/token" }?.hash
    }
    #expect(hashes[1] == hashes[2])
    #expect(Set(hashes.map { $0 ?? "" }).count == 3)
    #expect(hashes.allSatisfy { $0?.count == 16 })
    #expect(try run([.noted("a")])[1].redacted.allSatisfy { $0.hash.isEmpty })
  }

  @Test("a recording with stand-ins can be decoded, and a host redacts computed values")
  func host() throws {
    let drafts = try run([.login(user: "ann", password: "hunter22"), .noted("bye")])
    let timeline = try Timeline.reading(drafts)
    var replay = Replay(reducible: Session.self)
    replay.redaction = Self.rules
    let replayer = try replay.makeReplayer()
    let state = try #require(timeline.state(at: 0))
    try replayer.load(state: JSONSlice(validating: state.encoded()), outputs: nil, seq: 0)
    let typed = #"{"login":{"user":"ann","password":"swordfish"}}"#
    let event = try JSONSlice(validating: Array(typed.utf8))
    let draft = try replayer.run(PlannedStep(seq: 1, was: 1, t: 5, action: .reduce(event)))
    #expect(!text([draft]).contains("swordfish"))
    #expect(pointers(draft).contains("/event/login/password"))
    #expect(draft.redacted.allSatisfy { $0.hash.isEmpty })
  }

  @Test("thinned entries are redacted, too")
  func thinned() throws {
    let machine = Machine(Session())
    var writer = RunWriter(StatesAppearance<Session>(), of: machine.kernel, redaction: Self.rules)
    _ = try writer.begin(with: machine.state, after: nil, t: 0)
    var draft: EntryDraft?
    machine.kernel.use { step in
      if let input = step.input { draft = try? writer.writeThinned(input, step.details, t: 1) }
    }
    machine.send(.login(user: "ann", password: "hunter22"))
    let thinned = try #require(draft)
    #expect(!text([thinned]).contains("hunter22"))
    #expect(pointers(thinned) == ["/event/login/password"])
    #expect(thinned.state == nil && thinned.patch == nil)
  }

  @Test("a chart's value and a state that is not Codable are hidden by key path, too")
  func otherShapes() throws {
    let chart = try Statechart(Session()) {
      On("pushed", goTo: "open"); ChartState("open")
    }
    try chart.start()
    var writer = RunWriter(
      StatechartAppearance<Session>(), of: chart.kernel, redaction: [.hide(\Session.pin)])
    var state = chart.state
    state.value.pin = 4711
    let draft = try writer.begin(with: state, after: nil, t: 0)
    #expect(!text([draft]).contains("4711"))
    #expect(pointers(draft) == ["/state/value/pin"])

    struct Plain { var pin = 1234; var other = 5 }
    var plain = EntryWriter<Reflected<Plain>>(
      hasOutputs: false, redaction: [.hide(\Plain.pin, standIn: -1)])
    var first = EntryDraft(seq: 0, t: 0)
    try plain.capture(Reflected(Plain()), [], into: &first)
    #expect(first.state.map { String(decoding: $0, as: UTF8.self) } == #"{"pin":-1,"other":5}"#)
    #expect(pointers(first) == ["/state/pin"])
  }

  @Test("a form's change is recorded without its secrets")
  func form() throws {
    let form = StateForm(state: Session())
    var writer = RunWriter(
      FormAppearance<Session, Never>(), of: form.kernel, redaction: [.hide(\Session.token)])
    var drafts = [try writer.begin(with: form.state, after: nil, t: 0)]
    form.kernel.use { step in
      if let draft = try? writer.write(step, t: 1) { drafts.append(draft) }
    }
    form.apply {
      $0.token = "9f2c1b7e"
      $0.log = ["got 9f2c1b7e"]
    }
    #expect(drafts.count == 2)
    #expect(!text(drafts).contains("9f2c1b7e"))
    #expect(pointers(drafts[1]).contains("/event/apply/patch/0/value"))
    #expect(try Timeline.reading(drafts).state(at: 1)?["log"] == ["got •••"])
  }

  @Test("rules of another machine's state have no effect")
  func foreign() throws {
    struct Other { var token = "" }
    let plain = try run([.noted("hello")], [])
    let ruled = try run([.noted("hello")], [.hide(\Other.token)])
    #expect(text(plain) == text(ruled))
  }

  @Test(
    "patterns match pointers",
    arguments: [
      ("/users/*/email", "/users/1/email", true), ("/users/*/email", "/users/email", false),
      ("/**/email", "/email", true), ("**", "", true), ("**", "/a/b", true),
      ("/a/**/b/**/c", "/a/x/b/b/c", true), ("/a/**/b/**/c", "/a/x/c", false),
      ("", "", true), ("", "/a", false), ("/é", "/e\u{301}", false), ("/a~1b", "/a~1b", true),
    ])
  func patterns(pattern: String, pointer: String, matches: Bool) throws {
    #expect(try RedactionPattern(pattern).matches(Pointer(pointer)) == matches)
  }

  @Test("a value that matches a pattern becomes a stand-in of its JSON type, at any depth")
  func random() throws {
    for seed in UInt64(0)..<40 {
      var random = RandomJSON(seed: seed)
      let value = random.value(depth: 4)
      var writer = EntryWriter<RecordedJSON>(hasOutputs: false, redaction: [.hide("/**")])
      var draft = EntryDraft(seq: 0, t: 0)
      try writer.capture(RecordedJSON(value), [], into: &draft)
      let shown = try JSON(parsing: Array(draft.state ?? []))
      #expect(sameTypes(value, shown) && isEmpty(shown), "seed \(seed): \(value) became \(shown)")
    }
  }

  private func sameTypes(_ one: JSON, _ other: JSON) -> Bool {
    switch (one, other) {
    case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array):
      true
    case (.object(let one), .object(let other)):
      one.count == other.count
        && one.allSatisfy { key, value in
          other[key].map { sameTypes(value, $0) } ?? false
        }
    default: false
    }
  }

  private func isEmpty(_ value: JSON) -> Bool {
    switch value {
    case .null: true
    case .bool(let bool): !bool
    case .number: value == 0
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .object(let members): members.allSatisfy { isEmpty($0.value) }
    }
  }
}
