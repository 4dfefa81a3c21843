import DebugServer
import Foundation
import JSONCore
import Reruns
import RerunsSupport
import TestSupport
import Testing
import Timelines
import WebSockets
import Wire

@Suite("Hosts of a running daemon", .serialized)
struct LiveHostTests {
  /// An app that runs reducers for a daemon, until this value is released.
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

  /// Waits until the daemon reports a host as expected.
  private func waitForHost(
    _ peer: LivePeer, _ isExpected: (JSON) -> Bool
  ) async throws {
    await peer.send(#"{"type":"hosts","id":7}"#)
    while let hosts = await peer.heard("hosts") {
      if hosts["hosts"]?.array?.contains(where: isExpected) == true { return }
    }
    Issue.record("The connection ended.")
  }

  private func inspector(_ socket: String) async throws -> LivePeer {
    let (peer, _) = try await LivePeer.connect(to: .unix(path: socket), as: "inspector.v1")
    await peer.send(#"{"type":"hello","version":"1.0"}"#)
    _ = await peer.heard("welcome")
    await peer.send(#"{"type":"watch","id":1}"#)
    _ = await peer.heard("done")
    return peer
  }

  /// Lends an app that runs reducers at a place to a closure, with the header of its recording.
  private func withApp(
    _ place: String,
    _ body: (_ app: App, _ host: any ReducerHosting, _ peer: LivePeer) async throws -> Void
  ) async throws {
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
      try await body(app, host, peer)
      await peer.close()
    }
  }

  @Test(
    "as a process or inside itself, an app runs reducers, and its own machine stays as it is",
    arguments: ["process", "live"])
  func recorders(place: String) async throws {
    try await withApp(place) { app, host, _ in
      let result = try await host.run([HostWorld.add, HostWorld.add])
      #expect(result.entries.map { $0["seq"] } == [1, 2] && result.ended == nil)
      // The app ends with another status when its machine was touched.
      #expect(app.end() == 0)
    }
  }

  @Test("an app's process survives a trap and a reducer that hangs, and runs the next one")
  func processes() async throws {
    try await withApp("process") { app, host, peer in
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
    }
  }

  @Test("a trap in an app that runs a reducer ends the app, and is reported")
  func trapInside() async throws {
    try await withApp("live") { app, host, _ in
      let error = await #expect(throws: Refusal.self) {
        try await host.run([HostWorld.add, #"{"trapped":{}}"#])
      }
      #expect(error?.reply.message.contains("inside itself, from entry 1") == true)
      app.process.waitUntilExit()
      #expect(app.process.terminationStatus != 0)
    }
  }

  @Test("executables are reported to inspectors, and an inspector adds one")
  func executables() async throws {
    try await LiveDaemon.with {
      $0.hosts.executables = [HostWorld.spec()]
    } _: { running, configuration in
      let peer = try await inspector(try #require(configuration.socket))
      try await waitForHost(peer) {
        $0["executable"]?.string == ProbeExecutable.path && $0["started"] != nil
      }
      await peer.send(
        #"{"type":"host","id":2,"executable":"\#(ProbeExecutable.path)","arguments":["greet"]}"#)
      let refused = await peer.heard("error")
      #expect(refused?["re"] == 2 && refused?["message"]?.string?.contains("not a host") == true)
      await peer.send(
        #"{"type":"host","id":3,"executable":"\#(ProbeExecutable.path)","arguments":["host","x"]}"#)
      #expect(await peer.heard("done")?["re"] == 3)
      try await waitForHost(peer) { $0["name"] == "RecorderProbe-2" }
      await peer.close()
    }
  }
}
