import DebugServer
import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines
import WebSockets

@Suite("Hosts of a running daemon", .serialized)
struct HostServingTests {
  /// An app that runs reducers for a daemon, until this value is let go.
  private final class App {
    let process = Process()
    private let input = Pipe()

    init(_ place: String, socket: String) throws {
      process.executableURL = URL(filePath: ProbeExecutable.path)
      process.arguments = ["hosted", place]
      process.environment = ["DEBUGD": "unix:\(socket)"]
      process.standardInput = input
      let output = Pipe()
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      // It says so once it is recorded.
      _ = output.fileHandleForReading.availableData
    }

    func end() -> Int32 {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  /// Waits until the daemon tells of a host as it is expected.
  private func waitForHost(
    _ peer: LivePeer, _ isExpected: (JSON) -> Bool
  ) async throws {
    await peer.say(#"{"type":"hosts","id":7}"#)
    while let hosts = await peer.heard("hosts") {
      if hosts["hosts"]?.array?.contains(where: isExpected) == true { return }
    }
    Issue.record("The connection ended.")
  }

  private func inspector(_ socket: String) async throws -> LivePeer {
    let (peer, _) = try await LivePeer.connect(to: .unix(path: socket), as: "inspector.v1")
    await peer.say(#"{"type":"hello","version":"1.0"}"#)
    _ = await peer.heard("welcome")
    await peer.say(#"{"type":"watch","id":1}"#)
    _ = await peer.heard("done")
    return peer
  }

  @Test(
    "an app runs reducers for the daemon, as a process or inside itself, and its machine stays as it is",
    arguments: ["process", "live"])
  func recorders(place: String) async throws {
    try await LiveDaemon.with { running, configuration in
      let socket = try #require(configuration.socket)
      let peer = try await inspector(socket)
      let app = try App(place, socket: socket)
      try await waitForHost(peer) {
        $0["place"]?.string == place && $0["app"] == "hosted"
          && $0["makes"]?.array?.contains(.string(HostWorld.make)) == true
      }
      let host = try await running.hosts.host(
        for: try HostWorld.header(app: "hosted"), named: nil)
      let result = try await host.run([HostWorld.add, HostWorld.add])
      #expect(result.entries.map { $0["seq"] } == [1, 2] && result.ended == nil)
      if place == "process" {
        let trapped = try await host.run([HostWorld.add, #"{"trapped":{}}"#])
        #expect(trapped.ended?.why == .trap && trapped.ended?.seq == 2)
        let hanging = Task {
          try await host.run([#"{"slept":{}}"#], milliseconds: 60_000)
        }
        try await waitForHost(peer) { $0["busy"] == true }
        hanging.cancel()
        await #expect(throws: CancellationError.self) { try await hanging.value }
        #expect(try await host.run([HostWorld.add]).entries.count == 1)
        #expect(app.end() == 0)
      } else {
        // Inside the app a trap ends the app, which is said.
        let error = await #expect(throws: Refusal.self) {
          try await host.run([HostWorld.add, #"{"trapped":{}}"#])
        }
        #expect(error?.reply.message.contains("inside itself, from entry 1") == true)
        app.process.waitUntilExit()
      }
      await peer.close()
    }
  }

  @Test("executables are told to inspectors, and an inspector gives one")
  func executables() async throws {
    try await LiveDaemon.with {
      $0.hosts.executables = [HostWorld.spec()]
    } _: { running, configuration in
      let peer = try await inspector(try #require(configuration.socket))
      try await waitForHost(peer) {
        $0["executable"]?.string == ProbeExecutable.path && $0["started"] != nil
      }
      await peer.say(
        #"{"type":"host","id":2,"executable":"\#(ProbeExecutable.path)","arguments":["greet"]}"#)
      let refused = await peer.heard("error")
      #expect(refused?["re"] == 2 && refused?["message"]?.string?.contains("no host") == true)
      await peer.say(
        #"{"type":"host","id":3,"executable":"\#(ProbeExecutable.path)","arguments":["host","x"]}"#)
      #expect(await peer.heard("done")?["re"] == 3)
      try await waitForHost(peer) { $0["name"] == "RecorderProbe-2" }
      await peer.close()
    }
  }
}
