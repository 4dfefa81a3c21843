import Foundation
import Synchronization
import Testing

@testable import WebSockets

@Suite("The limits of sessions", .timeLimit(.minutes(10)))
struct LimitTests {
  @Test("unread messages are limited, and sending continues when the peer reads again")
  func slowReader() async throws {
    var options = SessionOptions()
    options.maxQueuedBytes = 1_000_000
    options.lowWaterBytes = 100_000
    let server = SessionProbe()
    try await World.with(ProbeServer(server, options: options)) { world in
      let client = SessionProbe()
      let session = await world.connect(client)
      #expect(await client.next() == .opened)
      #expect(await server.next() == .opened)
      let sender = try #require(server.session)
      session.pauseReading()
      // Sockets buffer some megabytes; then the queue fills.
      let message = SocketMessage.binary([UInt8](repeating: 1, count: 100_000))
      var accepted = 0
      while accepted < 10_000 {
        if sender.send(message) == .full, sender.statistics.queuedBytes > 900_000 {
          // The sockets are full if the queue is unchanged after a turn of the loop.
          let before = sender.statistics.sentBytes
          await world.loop.run { _ in }
          await world.loop.run { _ in }
          if sender.statistics.sentBytes == before { break }
        } else {
          accepted += 1
        }
      }
      #expect(accepted < 10_000)
      #expect(sender.statistics.queuedBytes <= 1_000_000)
      session.resumeReading()
      // Some messages may have been delivered before the pause took effect.
      while sender.send(.text(Array("last".utf8))) == .full {
        #expect(await server.next() == .drained)
      }
      while let event = await client.next(), event != .text("last") {}
      #expect(session.statistics.receivedMessages == sender.statistics.sentMessages)
    }
  }

  @Test("two hundred simultaneous sessions all make progress")
  func many() async throws {
    let server = SessionProbe(isEcho: true)
    var options = ListenerOptions()
    options.maxConnections = 200
    try await World.with(ProbeServer(server), options: options) { world in
      let probes = (0..<200).map { _ in SessionProbe() }
      var sessions: [Session] = []
      for probe in probes { sessions.append(await world.connect(probe)) }
      for probe in probes { #expect(await probe.next() == .opened) }
      for (number, session) in sessions.enumerated() {
        session.send(.text(Array("\(number)".utf8)))
      }
      for (number, probe) in probes.enumerated() {
        #expect(await probe.next() == .text("\(number)"))
      }
    }
  }

  @Test(
    "silent connections do not lock other clients out, because the oldest are dropped",
    arguments: [5, 8])
  func pending(maxPending: Int) async throws {
    let server = ProbeServer(requests: { $0.respond(.text(200, "Here.")) })
    var options = ListenerOptions()
    options.maxConnections = 8
    options.maxPending = maxPending
    try await World.with(server, options: options) { world in
      let found = try await Asked.one(
        "silent_connections.py", ["port": world.listener.port, "silent": 30])
      #expect(try Asked.text(found).contains(#""status":"HTTP/1.1 200 OK""#))
    }
  }

  @Test("unread responses do not block others, because the most stalled are dropped")
  func unread() async throws {
    // More than a connection can buffer.
    let body = Response.Body.bytes([UInt8](repeating: 0x61, count: 32_000_000))
    let server = ProbeServer(requests: { $0.respond(Response(status: 200, body: body)) })
    var options = ListenerOptions()
    options.maxConnections = 8
    options.maxAnswering = 3
    try await World.with(server, options: options) { world in
      let found = try await Asked.one(
        "unread_answers.py", ["port": world.listener.port, "unread": 20])
      #expect(try Asked.text(found) == #"{"cut":18,"read":32000000}"#)
    }
  }

  @Test("a body that is not complete in time ends the connection")
  func trickledBody() async throws {
    let server = ProbeServer(requests: { $0.respond(.text(200, "Here.")) })
    var options = ListenerOptions()
    options.headWithin = .seconds(600)
    options.bodyWithin = .milliseconds(20)
    try await World.with(server, options: options, stopWithin: .zero) { world in
      let found = try await Asked.one(
        "unread_answers.py", ["port": world.listener.port, "trickle": true])
      #expect(found as? String == "ended")
    }
  }

  @Test("a peer that does not answer a ping is closed with the configured code")
  func idle() async throws {
    let server = SessionProbe()
    var options = SessionOptions()
    options.pingAfter = .milliseconds(20)
    options.pongWithin = .milliseconds(20)
    options.idleCloseCode = SessionCloseCode(rawValue: 4004)
    try await World.with(ProbeServer(server, options: options)) { world in
      let found = try await Asked.one(
        "websocket_frames.py",
        ["port": world.listener.port, "chunks": [], "wanted": 9, "hangUp": true])
      #expect(
        try Asked.text(found).hasPrefix(
          #"[["ping","31"],["close",4004,"The peer did not answer a ping."]"#))
      #expect(await server.end()?.code.rawValue == 4004)
    }
  }

  @Test("a peer that answers pings stays connected")
  func answering() async throws {
    let server = SessionProbe()
    var options = SessionOptions()
    options.pingAfter = .milliseconds(5)
    options.pongWithin = .seconds(20)
    try await World.with(ProbeServer(server, options: options)) { world in
      let client = SessionProbe()
      let session = await world.connect(client)
      #expect(await client.next() == .opened)
      // Several pings later.
      await withCheckedContinuation { continuation in
        world.loop.enqueue { loop in
          loop.schedule(after: .milliseconds(100)) { _ in continuation.resume() }
        }
      }
      session.send(.text(Array("still here".utf8)))
      #expect(await server.next() == .opened)
      #expect(await server.next() == .text("still here"))
    }
  }

  @Test("the program's own handler of SIGPIPE stays installed")
  func brokenPipe() async throws {
    // Other tests start loops, too. Between two calls with the lock, each of them has restored the
    // handler that it found.
    let before = BrokenPipeSignal.turn.withLock { _ in
      _ = signal(SIGPIPE) { _ in }
      return Self.handlerOfBrokenPipes()
    }
    defer { BrokenPipeSignal.turn.withLock { _ in _ = signal(SIGPIPE, SIG_DFL) } }
    let loop = try Loop.start()
    await loop.run { _ in }
    await loop.stop()
    #expect(BrokenPipeSignal.turn.withLock { _ in Self.handlerOfBrokenPipes() } == before)
  }

  private static func handlerOfBrokenPipes() -> UInt {
    var action = sigaction()
    sigaction(SIGPIPE, nil, &action)
    // Safe: the handler's address is only compared.
    return withUnsafeBytes(of: action.__sigaction_handler) { $0.load(as: UInt.self) }
  }

  @Test("work after a stop still runs, on one thread at a time")
  func afterStop() async throws {
    let loop = try Loop.start()
    await loop.stop()
    let count = Mutex(0)
    for _ in 0..<100 {
      loop.enqueue { loop in
        loop.assertIsolated()
        count.withLock { $0 += 1 }
      }
    }
    #expect(await loop.run { $0.connectionCount } == 0)
    #expect(count.withLock { $0 } == 100)
    await loop.stop()
  }
}
