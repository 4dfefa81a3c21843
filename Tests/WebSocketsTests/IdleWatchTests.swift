import Testing

@testable import WebSockets

/// An idle watch with a manual clock.
private struct IdleWorld {
  var watch: IdleWatch
  var now: Int64 = 1_000_000
  var signs = IdleWatch.Signs()
  var pings: [String] = []
  /// The time of the watch's next check.
  var checkAt: Int64 = 0
  var isClosed = false

  init?() {
    var options = SessionOptions()
    options.pingAfter = .seconds(20)
    options.pongWithin = .seconds(10)
    guard let watch = IdleWatch(options, now: now) else { return nil }
    self.watch = watch
    signs.socket.unreadBytes = 1
    check()
  }

  mutating func check() {
    let signs = signs
    switch watch.check(now: now, signs: { signs }) {
    case .wait(let time): checkAt = now + time
    case .ping(let payload, let time):
      pings.append(String(decoding: payload, as: UTF8.self))
      checkAt = now + time
    case .close:
      isClosed = true
      checkAt = .max
    }
  }

  /// Advances the clock, and runs the checks that are due.
  mutating func wait(_ seconds: Int64) {
    let end = now + seconds * 1_000_000
    while checkAt <= end {
      now = checkAt
      check()
    }
    now = end
  }
}

@Suite("The idle watch")
struct IdleWatchTests {
  @Test("sends the first ping pingAfter after the last frame, not after the next check")
  func firstPing() throws {
    var world = try #require(IdleWorld())
    world.wait(1)
    world.watch.frameArrived(now: world.now)
    world.wait(19)
    #expect(world.pings.isEmpty)
    world.wait(1)
    #expect(world.pings == ["1"])
  }

  @Test("keeps a peer that answers every ping for a day")
  func answers() throws {
    var world = try #require(IdleWorld())
    for _ in 0..<4_320 {
      world.wait(20)
      world.watch.frameArrived(now: world.now)
    }
    #expect(!world.isClosed)
    #expect(world.pings.count == 4_320)
    #expect(Set(world.pings).count == 4_320)
  }

  @Test("closes the session of a silent peer after pongWithin")
  func silent() throws {
    var world = try #require(IdleWorld())
    world.wait(29)
    #expect(!world.isClosed)
    world.wait(1)
    #expect(world.isClosed)
    #expect(world.pings == ["1"])
  }

  @Test(
    "keeps a peer with signs of life other than frames",
    arguments: [
      "bytes that a TCP socket received", "a Unix socket that was read", "a request in progress",
    ])
  func signs(_ sign: String) throws {
    var world = try #require(IdleWorld())
    switch sign {
    case "a request in progress": world.signs.isExempt = true
    case "a Unix socket that was read": world.signs.socket.unreadBytes = 0
    default: world.signs.socket = SocketSigns(receivedBytes: 500)
    }
    // Each round sends one ping, and checks its result.
    for _ in 1...100 {
      world.wait(25)
      world.signs.socket.receivedBytes = world.signs.socket.receivedBytes.map { $0 + 1 }
      world.wait(5)
    }
    #expect(!world.isClosed)
    #expect(world.pings.count == 100)
  }

  @Test("does not accept bytes from before the ping as an answer")
  func oldBytes() throws {
    var world = try #require(IdleWorld())
    world.signs.socket = SocketSigns(receivedBytes: 500)
    world.wait(30)
    #expect(world.isClosed)
  }

  @Test("watches a silent peer again after its request ends")
  func requestEnds() throws {
    var world = try #require(IdleWorld())
    world.signs.isExempt = true
    world.wait(3_600)
    #expect(!world.isClosed)
    world.signs.isExempt = false
    world.wait(60)
    #expect(world.isClosed)
  }

  @Test("pings before it closes, even if the program was suspended")
  func late() throws {
    var world = try #require(IdleWorld())
    world.now += 3_600_000_000
    world.check()
    #expect(world.pings == ["1"])
    #expect(!world.isClosed)
  }
}
