import DebugServer
import Dispatch
import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines
import WebSockets
import Wire

@Suite("Slow and many peers", .serialized)
struct SlowPeerTests {
  /// The resident memory of this process, in MiB.
  private static func residentMiB() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
  }

  /// What the process may grow by, in MiB: other tests run in it at the same time, and what is kept
  /// away from it are hundreds.
  private static let bound = 256

  /// An authenticated recorder with an open timeline.
  private func recorder(_ socket: String, _ timeline: TimelineID) async throws -> LivePeer {
    let (peer, _) = try await LivePeer.connect(to: .unix(path: socket), as: "recorder.v1")
    await peer.send(#"{"type":"hello","version":"1.0"}"#)
    _ = await peer.heard("welcome")
    await peer.send(Say.open(timeline.text))
    return peer
  }

  @Test("an inspector that never reads costs little, and affects no one else")
  func neverReads() async throws {
    try await LiveDaemon.with { running, _ in
      let socket = try #require(running.socket)
      let timeline = TimelineID.random()
      let app = try await recorder(socket, timeline)
      let big = String(repeating: "x", count: 200_000)
      await app.send(
        Say.append([#"{"seq":0,"t":0,"state":{"big":"\#(big)"}}"#], to: timeline.text))
      _ = await app.heard("ack")
      let (deaf, _) = try await LivePeer.connect(to: .unix(path: socket), as: "inspector.v1")
      await deaf.send(#"{"type":"hello","version":"1.0"}"#)
      _ = await deaf.heard("welcome")
      deaf.pause()
      let before = Self.residentMiB()
      await deaf.send(#"{"type":"watch","id":0,"timeline":"\#(timeline)"}"#)
      // Each answer has 200 KB: all of them would be 600 MB.
      for id in 1...3_000 {
        await deaf.send(#"{"type":"raw","id":\#(id),"timeline":"\#(timeline)","seq":0}"#)
      }
      let backend = try await SocketBackend.connect(to: socket)
      for seq in Int64(1)...200 {
        let entry =
          #"{"seq":\#(seq),"t":0,"event":{"a":{}},"patch":[{"op":"add","path":"/n","value":\#(seq)}]}"#
        await app.send(Say.append([entry], to: timeline.text))
        #expect(await app.heard("ack")?["durable"]?.int == seq)
      }
      guard
        case .message(.raw(let raw)) = try await backend.ask(
          .raw(
            FromInspector.Raw {
              $0.timeline = timeline
              $0.seq = 200
            }))
      else { throw CancellationError() }
      #expect(raw.entry["seq"]?.int == 200)
      #expect(Self.residentMiB() - before < Self.bound)
      deaf.abort()
      await backend.close()
      await app.close()
    }
  }

  @Test("a recorder that does not read its answers is not read either, until it does")
  func deafRecorder() async throws {
    try await LiveDaemon.with { running, _ in
      let socket = try #require(running.socket)
      let deaf = try await recorder(socket, .random())
      deaf.pause()
      let backend = try await SocketBackend.connect(to: socket)
      // What it says goes, as long as the daemon reads it; then it does not, however long one waits.
      var said = 0
      var isRead = true
      while isRead, said < 200_000 {
        isRead = false
        for _ in 0..<20 where !isRead {
          if deaf.offer(#"{"type":"x"}"#) {
            (isRead, said) = (true, said + 1)
          } else {
            _ = try await backend.ask(.status(FromInspector.Status()))
          }
        }
      }
      #expect(!isRead)
      deaf.resume()
      var heard = 0
      while heard < said, await deaf.heard("error") != nil { heard += 1 }
      #expect(heard == said)
      await backend.close()
      await deaf.close()
    }
  }

  @Test("a recorder that leaves too many commands unread is disconnected, and its commands fail")
  func unreadCommands() async throws {
    let log = KeptLog()
    try await LiveDaemon.with {
      $0.limits.unreadBytes = 2 << 20
      $0.limits.commandMilliseconds = 600_000
      $0.log = log
    } _: { running, _ in
      let socket = try #require(running.socket)
      let timeline = TimelineID.random()
      let (app, _) = try await LivePeer.connect(to: .unix(path: socket), as: "recorder.v1")
      await app.send(#"{"type":"hello","version":"1.0","can":{"control":true}}"#)
      _ = await app.heard("welcome")
      await app.send(Say.open(timeline.text))
      await app.send(Say.append(Say.entries(0...0), to: timeline.text))
      _ = await app.heard("ack")
      let (inspector, _) = try await LivePeer.connect(to: .unix(path: socket), as: "inspector.v1")
      await inspector.send(#"{"type":"hello","version":"1.0"}"#)
      _ = await inspector.heard("welcome")
      await inspector.send(
        #"{"type":"hold","id":1,"timeline":"\#(timeline)","policy":"queue"}"#)
      let hold = await app.heard("hold")?["id"]?.int ?? 0
      await app.send(#"{"type":"done","re":\#(hold),"seq":0}"#)
      let lease = await inspector.heard("done")?["lease"]?.string ?? ""
      app.pause()
      let event = #"{"a":"\#(String(repeating: "x", count: 200_000))"}"#
      var error: JSON?
      for batch in 0..<3 where error == nil {
        for id in 0..<20 {
          let head = #"{"type":"dispatch","id":\#(100 * batch + id + 2),"lease":"\#(lease)""#
          await inspector.send(#"\#(head),"timeline":"\#(timeline)","event":\#(event)}"#)
        }
        await inspector.send(#"{"type":"status","id":\#(100 * batch + 99)}"#)
        let answer = await inspector.heard()
        if answer?["type"] == "error" { error = answer }
      }
      if error == nil { error = await inspector.heard("error") }
      // Without a limit, all are buffered, and answered at the time limit of commands.
      #expect(error?["message"] == "The app is no longer connected.")
      #expect(log.events.contains { $0.name == "recorder.stuck" })
      app.abort()
      await inspector.close()
    }
  }

  @Test("a recorder that sends a byte at a time delays no one")
  func byteAtATime() async throws {
    try await LiveDaemon.with { running, _ in
      let socket = try #require(running.socket)
      // Half of a message that was announced as 16 MB, and then a byte now and then.
      let line = #"{"socket":"\#(socket)","connections":20}"#
      let before = Self.residentMiB()
      async let trickling = Self.python("slow_peers.py", [line])
      let timeline = TimelineID.random()
      let app = try await recorder(socket, timeline)
      for seq in Int64(0)...50 {
        await app.send(Say.append([Say.entry(seq)], to: timeline.text))
        #expect(await app.heard("ack")?["durable"]?.int == seq)
      }
      await app.close()
      #expect(try await trickling == ["20 still open"])
      // They announced 320 MB.
      #expect(Self.residentMiB() - before < Self.bound)
    }
  }

  @Test("two hundred recorders are served, and one more than allowed is sent away")
  func many() async throws {
    try await LiveDaemon.with {
      $0.limits.connections = 210
    } _: { running, _ in
      let socket = try #require(running.socket)
      let line = #"{"socket":"\#(socket)","recorders":200}"#
      let before = Self.residentMiB()
      #expect(try await Self.python("slow_peers.py", [line]) == ["200 acknowledged"])
      // More than a MiB each would be too much.
      #expect(Self.residentMiB() - before < Self.bound)
      let backend = try await SocketBackend.connect(to: socket)
      guard
        case .message(.status(let status)) = try await backend.ask(
          .status(FromInspector.Status()))
      else { throw CancellationError() }
      #expect(status.timelines == 200)
      #expect(status.entries == 200 * 20)
      await backend.close()
    }
  }

  @Test("connections beyond the limit are closed at once, and the others continue")
  func tooMany() async throws {
    try await LiveDaemon.with {
      $0.limits.connections = 3
    } _: { running, _ in
      let socket = try #require(running.socket)
      var peers: [LivePeer] = []
      for _ in 0..<3 { peers.append(try await recorder(socket, .random())) }
      let line = #"{"socket":"\#(socket)","beyond":5}"#
      #expect(try await Self.python("slow_peers.py", [line]) == ["5 sent away"])
      for _ in 0..<5 {
        let (peer, end) = try await LivePeer.connect(to: .unix(path: socket), as: "recorder.v1")
        #expect(end != nil)
        if end == nil { await peer.close() }
      }
      await peers[0].send(#"{"type":"close","timeline":"\#(TimelineID.random())"}"#)
      #expect(await peers[0].heard("error")?["code"] == "not-found")
      for peer in peers { await peer.close() }
    }
  }

  /// Runs a program outside the task pool, whose threads the daemon needs.
  private static func python(_ program: String, _ lines: [String]) async throws -> [String] {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try PythonOracle.answers(of: program, to: lines) })
      }
    }
  }
}
