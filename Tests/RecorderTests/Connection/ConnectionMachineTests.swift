import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import Recorder

@Suite("Connection")
struct ConnectionMachineTests {
  /// A machine with what it was asked to do.
  struct Rig {
    var machine: ConnectionMachine
    var generator = SeededGenerator(seed: 1)
    var now = Duration.zero
    var sent: [FromRecorder] = []
    var closed: [CloseCode] = []
    var connects = 0
    var received = 0
    var lost = 0
    var notes: [String] = []
    /// The limits of message lengths, each with the number of messages that were sent before it.
    var limits: [[Int]] = []

    init(_ trusts: ConnectionMachine.Trust...) {
      machine = ConnectionMachine(trusts: trusts.isEmpty ? [.socket] : trusts)
    }

    mutating func handle(_ input: ConnectionMachine.Input) throws {
      let actions = machine.handle(input, now: now, using: &generator) {
        ConnectionMachine.Greeting(run: "r", timelines: [], can: FromRecorder.Abilities())
      }
      for action in actions {
        switch action {
        case .connect: connects += 1
        case .send(let bytes):
          sent.append(try Envelope<FromRecorder>(reading: bytes, maxMessage: 1 << 20).body)
        case .disconnect(let code, _): closed.append(code)
        case .welcomed, .received: received += 1
        case .lost: lost += 1
        case .log(let words): notes.append(words)
        case .limitMessages(let bytes): limits.append([bytes, sent.count])
        }
      }
    }

    mutating func receive(_ text: String) throws { try handle(.text(Array(text.utf8))) }

    mutating func welcome() throws {
      try handle(.start)
      try handle(.opened)
      try receive(
        #"{"type":"welcome","version":"1.0","credit":10,"maxMessage":65536,"durable":{}}"#)
    }
  }

  @Test("sends hello once over a socket, and continues after welcome")
  func socket() throws {
    var rig = Rig()
    try rig.welcome()
    #expect(rig.machine.isWelcomed && rig.received == 1 && rig.sent.count == 1)
    guard case .hello(let hello) = rig.sent[0] else { return #expect(Bool(false), "no hello") }
    #expect(hello.nonce == nil && hello.proof == nil && hello.run == "r")
  }

  @Test("sends only a nonce to a peer that has proved nothing")
  func proving() throws {
    var rig = Rig(.secret([1, 2, 3]))
    try rig.handle(.start)
    try rig.handle(.opened)
    guard case .hello(let hello) = rig.sent[0] else { return #expect(Bool(false), "no hello") }
    let nonce = try #require(hello.nonce)
    #expect(ProofText.isNonce(nonce) && hello.run == nil && hello.timelines == nil)
    let theirs = String(repeating: "ab", count: 16)
    let proof = ProofText.proof(
      of: ProofText.daemon(recorderNonce: nonce, daemonNonce: theirs), secret: [1, 2, 3])
    try rig.receive(#"{"type":"challenge","nonce":"\#(theirs)","proof":"\#(proof)"}"#)
    guard case .hello(let second) = rig.sent[1] else { return #expect(Bool(false), "no hello") }
    let expected = ProofText.proof(
      of: ProofText.recorder(recorderNonce: nonce, daemonNonce: theirs), secret: [1, 2, 3])
    #expect(second.proof == expected && second.run == "r")
    // The answer to a proof may be long, and the one before must not be.
    #expect(rig.limits == [[16 << 20, 1]])
  }

  @Test("accepts long messages over a socket, whose owner the system names, before it says hello")
  func longMessages() throws {
    var rig = Rig()
    try rig.welcome()
    #expect(rig.limits == [[16 << 20, 0]])
  }

  @Test("reads and logs nothing long, and no notice, of a peer that has proved nothing")
  func unproven() throws {
    var rig = Rig(.secret([1, 2, 3]))
    try rig.handle(.start)
    try rig.handle(.opened)
    for _ in 0..<1_000 {
      try rig.receive(#"{"type":"notice","level":"warning","message":"Call 555-0100."}"#)
    }
    #expect(rig.notes.isEmpty && rig.closed.isEmpty)
    let blanks = String(repeating: " ", count: ConnectionMachine.firstMessage)
    try rig.receive(#"{"type":"notice","level":"warning","message":"x"}"# + blanks)
    #expect(rig.closed == [.tooLong] && rig.limits.isEmpty && rig.notes.isEmpty)
  }

  @Test(
    "leaves who cannot prove that it knows the secret",
    arguments: [
      #"{"type":"challenge","nonce":"abababababababababababababababab","proof":"00"}"#,
      #"{"type":"challenge","nonce":"short","proof":"00"}"#,
      #"{"type":"welcome","version":"1.0","credit":10,"maxMessage":65536,"durable":{}}"#,
      #"{"type":"ack","timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","durable":1}"#,
      "no json", "",
    ])
  func stranger(answer: String) throws {
    var rig = Rig(.secret([1, 2, 3]))
    try rig.handle(.start)
    try rig.handle(.opened)
    try rig.receive(answer)
    #expect(rig.closed.count == 1 && rig.sent.count == 1 && !rig.machine.isWelcomed)
    #expect(rig.machine.problem != nil)
  }

  @Test("does not accept its own nonce as the daemon's")
  func reflection() throws {
    var rig = Rig(.secret([1]))
    try rig.handle(.start)
    try rig.handle(.opened)
    guard case .hello(let hello) = rig.sent[0] else { return #expect(Bool(false), "no hello") }
    let nonce = try #require(hello.nonce)
    let proof = ProofText.proof(
      of: ProofText.daemon(recorderNonce: nonce, daemonNonce: nonce), secret: [1])
    try rig.receive(#"{"type":"challenge","nonce":"\#(nonce)","proof":"\#(proof)"}"#)
    #expect(rig.sent.count == 1 && rig.closed == [.protocolError])
  }

  @Test("answers invalid frames, and disconnects from a peer that keeps sending them")
  func badFrames() throws {
    var rig = Rig()
    try rig.welcome()
    for _ in 1..<ConnectionMachine.maximumBadFrames { try rig.receive(#"{"type":"sing","id":7}"#) }
    #expect(rig.machine.isWelcomed && rig.sent.count == ConnectionMachine.maximumBadFrames)
    try rig.receive("[")
    #expect(!rig.machine.isWelcomed && rig.closed == [.protocolError] && rig.lost == 1)
    #expect(rig.machine.badFrames == ConnectionMachine.maximumBadFrames)
  }

  @Test(
    "survives every hostile frame in every state",
    arguments: [
      "", "null", "{}", "[]", "{\"type\":7}", "{\"type\":\"welcome\"}", "\u{0}",
      #"{"type":"welcome","version":"1.0","credit":-1,"maxMessage":0,"durable":{"x":1}}"#,
      #"{"type":"ack","timeline":"0","durable":-9223372036854775809}"#,
      #"{"type":"credit","bytes":1e400}"#,
      #"{"type":"reduce","id":1,"make":"","seq":-1,"steps":[{}]}"#,
      String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
    ])
  func hostile(text: String) throws {
    for trust in [ConnectionMachine.Trust.socket, .secret([1])] {
      for depth in 0..<4 {
        var rig = Rig(trust)
        if depth > 0 { try rig.handle(.start) }
        if depth > 1 { try rig.handle(.opened) }
        if depth > 2 {
          try rig.receive(
            #"{"type":"welcome","version":"1.0","credit":1,"maxMessage":9,"durable":{}}"#)
        }
        try rig.receive(text)
        try rig.handle(.binary)
        try rig.handle(.closed(code: 4_001, reason: text))
        try rig.handle(.protocolViolation("x"))
        try rig.handle(.stop)
        #expect(rig.machine.state == .idle)
      }
    }
  }

  @Test("accepts no binary frame")
  func binary() throws {
    var rig = Rig()
    try rig.welcome()
    try rig.handle(.binary)
    #expect(rig.closed == [.notText] && rig.lost == 1)
  }

  @Test(
    "asks rarely where it was refused for good",
    arguments: [
      #"{"type":"error","code":"version","message":"too old"}"#,
      #"{"type":"error","code":"unauthorised","message":"who are you"}"#,
      #"{"type":"welcome","version":"2.0","credit":10,"maxMessage":65536,"durable":{}}"#,
    ])
  func refused(answer: String) throws {
    var rig = Rig()
    try rig.handle(.start)
    try rig.handle(.opened)
    try rig.receive(answer)
    guard case .refused(_, let until) = rig.machine.state else {
      return #expect(Bool(false), "\(rig.machine.state)")
    }
    #expect(until == RetryPolicy().afterRefusal && rig.notes.count == 1)
    rig.now = until - .nanoseconds(1)
    try rig.handle(.tick)
    #expect(rig.connects == 1)
    rig.now = until
    try rig.handle(.tick)
    #expect(rig.connects == 2)
  }

  @Test("waits longer between attempts, within bounds, and starts over after a stable connection")
  func backoff() throws {
    var rig = Rig()
    try rig.handle(.start)
    var waits: [Duration] = []
    for _ in 0..<12 {
      try rig.handle(.closed(code: nil, reason: "no daemon"))
      let until = try #require(rig.machine.deadline)
      waits.append(until - rig.now)
      rig.now = until
      try rig.handle(.tick)
    }
    let policy = RetryPolicy()
    #expect(waits.allSatisfy { $0 >= policy.first / 2 && $0 <= policy.longest })
    #expect(waits[0] <= policy.first && waits[11] >= policy.longest / 2)
    try rig.handle(.opened)
    try rig.receive(
      #"{"type":"welcome","version":"1.0","credit":10,"maxMessage":65536,"durable":{}}"#)
    rig.now += policy.stable
    try rig.handle(.closed(code: 1_001, reason: "the daemon ends"))
    #expect(try #require(rig.machine.deadline) - rig.now <= policy.first)
  }

  @Test("disconnects from a peer that does not answer", arguments: [1, 2, 3])
  func silence(depth: Int) throws {
    var rig = Rig(depth == 3 ? .secret([1]) : .socket)
    try rig.handle(.start)
    if depth > 1 { try rig.handle(.opened) }
    rig.now += RetryPolicy().answer
    try rig.handle(.tick)
    guard case .waiting = rig.machine.state else {
      return #expect(Bool(false), "\(rig.machine.state)")
    }
    #expect(rig.closed.count == 1)
  }
}
