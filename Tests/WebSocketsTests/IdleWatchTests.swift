import Testing

@testable import WebSockets

/// An idle watch with a clock that is moved by hand.
private struct IdleWorld {
  var watch: IdleWatch
  var now: Int64 = 1_000_000
  var signs = IdleWatch.Signs()
  var pings: [String] = []
  /// When the watch wants to look again.
  var lookAt: Int64 = 0
  var isClosed = false

  init?() {
    var options = SessionOptions()
    options.pingAfter = .seconds(20)
    options.pongWithin = .seconds(10)
    guard let watch = IdleWatch(options, now: now) else { return nil }
    self.watch = watch
    signs.socket.unreadBytes = 1
    look()
  }

  mutating func look() {
    let signs = signs
    switch watch.look(now: now, signs: { signs }) {
    case .wait(let time): lookAt = now + time
    case .ping(let payload, let time):
      pings.append(String(decoding: payload, as: UTF8.self))
      lookAt = now + time
    case .close:
      isClosed = true
      lookAt = .max
    }
  }

  /// Lets seconds pass, with the looks that are due.
  mutating func wait(_ seconds: Int64) {
    let end = now + seconds * 1_000_000
    while lookAt <= end {
      now = lookAt
      look()
    }
    now = end
  }
}

@Suite("the watch over silent peers")
struct IdleWatchTests {
  @Test("the first ping comes pingAfter after the last frame, not after the next look")
  func firstPing() throws {
    var world = try #require(IdleWorld())
    world.wait(1)
    world.watch.heard(now: world.now)
    world.wait(19)
    #expect(world.pings.isEmpty)
    world.wait(1)
    #expect(world.pings == ["1"])
  }

  @Test("a peer that answers every ping stays for a day")
  func answers() throws {
    var world = try #require(IdleWorld())
    for _ in 0..<4_320 {
      world.wait(20)
      world.watch.heard(now: world.now)
    }
    #expect(!world.isClosed)
    #expect(world.pings.count == 4_320)
    #expect(Set(world.pings).count == 4_320)
  }

  @Test("a peer that shows nothing is closed once pongWithin is over")
  func silent() throws {
    var world = try #require(IdleWorld())
    world.wait(29)
    #expect(!world.isClosed)
    world.wait(1)
    #expect(world.isClosed)
    #expect(world.pings == ["1"])
  }

  @Test(
    "a sign of life that is no frame keeps a peer",
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
    // Each round sends one ping, and looks at what came of it.
    for _ in 1...100 {
      world.wait(25)
      world.signs.socket.receivedBytes = world.signs.socket.receivedBytes.map { $0 + 1 }
      world.wait(5)
    }
    #expect(!world.isClosed)
    #expect(world.pings.count == 100)
  }

  @Test("bytes from before the ping are no answer to it")
  func oldBytes() throws {
    var world = try #require(IdleWorld())
    world.signs.socket = SocketSigns(receivedBytes: 500)
    world.wait(30)
    #expect(world.isClosed)
  }

  @Test("a request that ends leaves its silent peer to the watch again")
  func requestEnds() throws {
    var world = try #require(IdleWorld())
    world.signs.isExempt = true
    world.wait(3_600)
    #expect(!world.isClosed)
    world.signs.isExempt = false
    world.wait(60)
    #expect(world.isClosed)
  }

  @Test("a late look, after the program was stopped for a while, asks before it closes")
  func late() throws {
    var world = try #require(IdleWorld())
    world.now += 3_600_000_000
    world.look()
    #expect(world.pings == ["1"])
    #expect(!world.isClosed)
  }
}
