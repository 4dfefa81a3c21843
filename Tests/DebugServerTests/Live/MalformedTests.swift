import DebugServer
import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines
import WebSockets
import Wire

@Suite("Messages that make no sense", .serialized)
struct MalformedTests {
  static func fixtures(_ direction: String) throws -> [String] {
    let folder = repositoryRoot.appending(path: "docs/protocol/messages").path
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasPrefix(direction) }.sorted()
      .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }
  }

  /// The ways to corrupt a message.
  private static func spoiled(_ text: String, by random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(text.utf8)
    guard !bytes.isEmpty else { return bytes }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes.removeSubrange(place...)
    case 1: bytes[place] = UInt8.random(in: 0x20..<0x7F, using: &random)
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(contentsOf: Array(#""x":[{},null,-1e999],"#.utf8), at: place)
    case 4:
      // A value of another type in place of a number.
      let digits = bytes.firstIndex { (0x30...0x39).contains($0) } ?? 0
      bytes.replaceSubrange(digits...digits, with: Array("{}".utf8))
    default: bytes += bytes
    }
    return bytes
  }

  @Test("are answered by the hub, and trap nothing", arguments: PeerRole.allCases)
  func hub(role: PeerRole) throws {
    let fixtures = try Self.fixtures(role == .recorder ? "from-recorder" : "from-inspector")
    #expect(fixtures.count >= 8)
    var random = SeededGenerator(seed: 11)
    for round in 0..<40 {
      var world = HubWorld()
      let peer = role == .recorder ? world.recorder() : world.inspector()
      for fixture in fixtures.shuffled(using: &random) {
        if random.chance(0.5) { world.send(fixture, as: peer) }
        world.handle(.text(peer, Self.spoiled(fixture, by: &random)))
        world.drain(peer)
        if random.chance(0.2) { world.wait(20) }
        while world.answerQuery(.refused(Refusal(.notFound, "No."))) != nil {}
      }
      for frame in world.frames[peer] ?? [] {
        _ = try JSON(parsing: String(decoding: frame.bytes, as: UTF8.self))
      }
      #expect(world.closes[peer] == nil, "a wrong message is answered; round \(round)")
    }
  }

  @Test("before hello end the connection, whatever they are", arguments: PeerRole.allCases)
  func first(role: PeerRole) throws {
    for fixture in try Self.fixtures(role == .recorder ? "from-recorder" : "from-inspector") {
      guard !fixture.contains(#""type":"hello""#) else { continue }
      var world = HubWorld()
      let peer = world.connect(role)
      world.send(fixture, as: peer)
      #expect(world.closes[peer]?.code == .unauthorised, "\(fixture)")
    }
  }

  @Test("are answered by a running daemon with the invalid key, and it continues")
  func live() async throws {
    let cases: [(message: String, code: String, path: String?)] = [
      (#"{"type":"raw","id":1,"timeline":"\#(Say.timeline)","seq":0}"#, "not-found", "timeline"),
      (#"{"type":"raw","id":1,"timeline":"x","seq":0}"#, "wrong-value", "timeline"),
      (#"{"type":"raw","id":1,"timeline":"\#(Say.timeline)"}"#, "missing", "seq"),
      (#"{"type":"raw","id":1,"timeline":"\#(Say.timeline)","seq":"0"}"#, "wrong-type", "seq"),
      (#"{"type":"raw","timeline":"\#(Say.timeline)","seq":0}"#, "missing", "id"),
      (
        #"{"type":"entries","id":1,"timeline":"\#(Say.timeline)","from":0,"count":0}"#,
        "wrong-value", "count"
      ),
      (
        #"{"type":"find","id":1,"timeline":"\#(Say.timeline)","from":0,"predicate":"stat =="}"#,
        "wrong-value", "predicate"
      ),
      (
        #"{"type":"overview","id":1,"timeline":"\#(Say.timeline)","from":9,"to":1,"buckets":5,"by":"seq"}"#,
        "wrong-value", "to"
      ),
      (
        #"{"type":"overview","id":1,"timeline":"\#(Say.timeline)","from":0,"to":1,"buckets":99999,"by":"seq"}"#,
        "wrong-value", "buckets"
      ),
      (
        #"{"type":"column","id":1,"timeline":"\#(Say.timeline)","paths":[],"from":0,"count":1}"#,
        "wrong-value", "paths"
      ),
      (
        #"{"type":"series","id":1,"timeline":"\#(Say.timeline)","paths":[],"from":0,"to":1,"buckets":1,"by":"t"}"#,
        "wrong-value", "paths"
      ),
      (
        #"{"type":"series","id":1,"timeline":"\#(Say.timeline)","paths":["/state/n"],"from":9,"to":1,"buckets":1,"by":"t"}"#,
        "wrong-value", "to"
      ),
      (
        #"{"type":"series","id":1,"timeline":"\#(Say.timeline)","paths":["/state/n"],"from":0,"to":1,"buckets":2049,"by":"t"}"#,
        "wrong-value", "buckets"
      ),
      (#"{"type":"part","id":1,"upload":"u","offset":0,"data":"AA=="}"#, "not-found", "upload"),
      (#"{"type":"part","id":1,"upload":"u","offset":0,"data":"A"}"#, "wrong-value", "data"),
      (#"{"type":"import","id":1,"name":"x","bytes":9007199254740991}"#, "limit", "bytes"),
      (#"{"type":"delete","id":1,"timeline":"\#(Say.timeline)"}"#, "not-found", "timeline"),
      (
        #"{"type":"rename","id":1,"timeline":"\#(Say.timeline)","name":"x"}"#, "not-found",
        "timeline"
      ),
      (
        #"{"type":"mark","id":1,"timeline":"\#(Say.timeline)","seq":0,"text":"x"}"#, "not-found",
        "timeline"
      ),
      (
        #"{"type":"export","id":1,"timeline":"\#(Say.timeline)","format":"csv"}"#, "not-found",
        "timeline"
      ),
      (#"{"type":"watch","id":1,"timeline":"\#(Say.timeline)"}"#, "not-found", "timeline"),
      (
        #"{"type":"changes","id":1,"timeline":"\#(Say.timeline)","path":"/event/x","limit":1}"#,
        "wrong-value", "path"
      ),
      (#"{"type":"timelines","id":1,"limit":0}"#, "wrong-value", "limit"),
      (#"{"type":"timelines","id":1,"limit":0,"live":true}"#, "wrong-value", "limit"),
      (#"{"type":"blink","id":1}"#, "unknown-type", "type"),
      (#"{"type":"status","id":1"#, "malformed", nil),
      ("[]", "wrong-type", nil),
    ]
    try await LiveDaemon.with { running, _ in
      let socket = try #require(running.socket)
      let (peer, _) = try await LivePeer.connect(to: .unix(path: socket), as: "inspector.v1")
      await peer.send(#"{"type":"hello","version":"1.0"}"#)
      _ = await peer.heard("welcome")
      for (message, code, path) in cases {
        await peer.send(message)
        let answer = await peer.heard()
        #expect(answer?["type"] == "error", "\(message): \(String(describing: answer))")
        #expect(answer?["code"]?.string == code, "\(message): \(String(describing: answer))")
        #expect(answer?["path"]?.string == path, "\(message): \(String(describing: answer))")
      }
      await peer.send(#"{"type":"status","id":2}"#)
      #expect(await peer.heard()?["type"] == "status")
      await peer.close()
    }
  }
}
