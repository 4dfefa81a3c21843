import Foundation
import JSONCore
import Replaying
import StatesCore
import Testing
import Timelines

@Suite("Replaying: redacted properties")
struct RedactedTests {
  struct Login: Reducible, Codable, Equatable {
    @Redacted var token: String? = nil
    var tags: Set<Redacted<String>> = []
    var name = "ann"

    enum Event: Codable {
      case entered(Redacted<String>)
      case tagged(String)
      case left
    }

    static func reduce(state: Login, event: Event) -> Login {
      var next = state
      switch event {
      case .entered(let token): next.token = token.wrappedValue
      case .tagged(let tag): next.tags.insert(Redacted(tag))
      case .left: next.token = nil
      }
      return next
    }

    static var outputs: Outputs<Login> { Output("greeting") { "\($0.name) \($0.token ?? "")" } }
  }

  private func record(_ events: [Login.Event]) throws -> [EntryDraft] {
    let machine = Machine(Login())
    var writer = RunWriter(StatesAppearance<Login>(), of: machine.kernel)
    var drafts = [try writer.begin(with: machine.state, after: nil, t: 0)]
    machine.kernel.use { step in
      if let draft = try? writer.write(step, t: Int64(step.number)) { drafts.append(draft) }
    }
    for event in events { machine.send(event) }
    return drafts
  }

  @Test("a redacted property is hidden without any rule, and listed")
  func withoutRules() throws {
    let drafts = try record([.entered(Redacted("9f2c1b7e")), .tagged("swordfish"), .left])
    let text = drafts.map { String(decoding: $0.line, as: UTF8.self) }.joined(separator: "\n")
    #expect(!text.contains("9f2c1b7e") && !text.contains("\u{E000}"), "\(text)")
    let timeline = try Timeline.reading(drafts)
    #expect(timeline.disagreements().isEmpty)
    #expect(timeline.state(at: 1)?["token"]?.isNull == true)
    #expect(timeline.outputs(at: 1)?["greeting"] == "ann •••")
    #expect(
      drafts.map { $0.redacted.map(\.pointer.description).sorted() } == [
        ["/state/token"], ["/event/entered/_0", "/outputs/greeting", "/state/token"],
        ["/event/tagged/_0", "/outputs/greeting", "/state/tags/0", "/state/token"],
        ["/state/tags/0", "/state/token"],
      ])
    _ = try CanonicalDecoder().decode(Login.self, from: try #require(timeline.state(at: 2)))
  }

  @Test("a redacted property that appears later is hidden from then on, with patches that apply")
  func appearsLater() throws {
    struct Box: Encodable {
      var secret: Redacted<String>?
      var n = 0
    }
    var writer = EntryWriter<Box>(hasOutputs: true)
    var drafts: [EntryDraft] = []
    for n in 0..<6 {
      var draft = EntryDraft(seq: Int64(n), t: 0)
      if n > 0 { draft.event = Array(#""e""#.utf8)[...] }
      let box = Box(secret: n < 3 ? nil : Redacted("swordfish"), n: n)
      try writer.capture(
        box, [RecordedOutput("n", n < 4 ? "swordfish" : "other")], into: &draft)
      drafts.append(draft)
    }
    let timeline = try Timeline.reading(drafts)
    #expect(timeline.disagreements().isEmpty)
    #expect(timeline.state(at: 3) == ["secret": "", "n": 3])
    #expect(timeline.outputs(at: 3) == ["n": "•••"])
    #expect(timeline.state(at: 5) == ["secret": "", "n": 5])
    #expect(drafts[2].redacted.isEmpty)
    #expect(drafts[3].redacted.map(\.pointer.description) == ["/state/secret", "/outputs/n"])
  }

  @Test("no encoder, description, or reflection shows it, unless the encoder opts in")
  func everywhere() throws {
    var login = Login()
    login.token = "9f2c1b7e"
    let encoder = JSONEncoder()
    #expect(!String(decoding: try encoder.encode(login), as: UTF8.self).contains("9f2c"))
    #expect(!"\(login)".contains("9f2c"))
    #expect(!String(reflecting: login).contains("9f2c"))
    var dumped = ""
    dump(login, to: &dumped)
    #expect(!dumped.contains("9f2c"))
    #expect(
      !String(decoding: try CanonicalEncoder().encode(Reflected(login)), as: UTF8.self)
        .contains("9f2c"))
    encoder.userInfo[.revealsRedacted] = true
    let kept = try encoder.encode(login)
    #expect(try JSONDecoder().decode(Login.self, from: kept) == login)
    #expect(
      try JSONDecoder().decode(Login.self, from: Data(#"{"tags":[],"name":""}"#.utf8)).token == nil)
  }

  @Test("a stand-in from a recording is found before it is sent to a live app")
  func standIns() throws {
    let rules: RedactionRules = [.events("tagged"), .hide(\Login.name)]
    #expect(try rules.standIn(inEvent: Login.Event.entered(Redacted(""))) != nil)
    #expect(try rules.standIn(inEvent: Login.Event.entered(Redacted("real"))) == nil)
    #expect(try rules.standIn(inEvent: Login.Event.tagged("")) != nil)
    #expect(try rules.standIn(inEvent: Login.Event.tagged("say •••")) != nil)
    #expect(try rules.standIn(inEvent: Login.Event.tagged("typed")) == nil)
    #expect(try rules.standIn(inEvent: Login.Event.left) == nil)
    var state = Login()
    #expect(try rules.standIn(inState: state) != nil)
    state.token = "typed"
    #expect(try rules.standIn(inState: state) == nil)
    state.name = ""
    #expect(try rules.standIn(inState: state) != nil)
  }
}
