import Foundation
import HostProcesses
import JSONCore
import RerunsSupport
import TestSupport
import Testing
import Timelines
import Wire

@testable import DebugServer
@testable import Reruns

@Suite("What is advised about hosts")
struct HostRemedyTests {
  @Test("that speak a newer protocol")
  func newer() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let path = folder + "/host"
    try HostWorld.script(#"echo '{"type":"hello","version":"2.0"}'; cat > /dev/null"#, at: path)
    let host = ExecutableHost(
      HostSpec(path: path), named: "host", settings: HostSettings(), environment: [:])
    let error = await #expect(throws: Refusal.self) { try await host.prepare() }
    #expect(
      error?.reply.message.hasSuffix(
        """
        The host is newer than this program: The other end speaks version 2.0 of the protocol, this \
        one 1.0. To fix, update the older of the two.
        """) == true, "\(error?.reply.message ?? "")")
  }

  @Test("that answer entries that were not requested")
  func otherEntries() throws {
    var sequence = ReducedSequence(
      try HostWorld.request([HostWorld.add, HostWorld.add]), host: "App")
    let entry = try JSONSlice(validating: Array(#"{"seq":7,"t":0}"#.utf8))
    let error = #expect(throws: Refusal.self) {
      try sequence.accept(FromRecorder.Reduced { $0.entries = [entry] })
    }
    #expect(
      error?.reply.message == """
        App answered entry 7, where entries 1 to 2 were asked for. To fix, build it with the \
        recorder of this daemon's version.
        """)
  }

  @Test("that answer faster than their entries are taken")
  func tooFast() async throws {
    let answers = ReduceAnswers()
    let text = "\"" + String(repeating: "x", count: 1 << 20) + "\""
    let entry = try JSONSlice(validating: Array(text.utf8))
    answers.add(
      .reduced(
        FromRecorder.Reduced {
          $0.entries = Array(repeating: entry, count: 64)
          $0.more = true
        }))
    var messages: [String] = []
    try await answers.forEach { answer in
      if case .error(let reply) = answer { messages.append(reply.message) }
    }
    #expect(
      messages == ["The host answers faster than its entries can be kept. To fix, ask for fewer."])
  }

  @Test("for machines that are not known to be in Swift")
  func foreign() throws {
    let header = try Header(
      reading: #"{"timeline":"\#(HostWorld.timeline)","app":{"name":"Vending"},"#
        + #""machine":{"type":"Vending","name":"vending","make":"Vending"},"#
        + #""started":"2026-05-01T08:00:00Z","format":1}"#)
    let selection = try HostSelection(header, named: nil)
    #expect(
      selection.refusal(asked: [], hasDaemon: true, data: " --data /d").reply.message.hasSuffix(
        """
        To fix, give the daemon the executable that makes it: debugd host PATH --data /d (in Swift, \
        PATH is like .build/debug/App, and its main calls ReducerHost.runIfAsked(…) first), or run \
        the app.
        """))
    #expect(
      selection.refusal(asked: [], hasDaemon: false, data: "").reply.message.hasSuffix(
        """
        To fix, name the executable that makes it: --host PATH (in Swift, PATH is like \
        .build/debug/App, and its main calls ReducerHost.runIfAsked(…) first).
        """))
  }

  @Test(
    "for machines that tests recorded",
    arguments: ["GaragePackageTests.xctest", "xctest", "swiftpm-testing-helper"])
  func recordedByTests(process: String) throws {
    let header = try Header(
      reading:
        #"{"timeline":"\#(HostWorld.timeline)","app":{"name":"GarageTests","process":"\#(process)"},"#
        + #""machine":{"type":"Garage","name":"garage","make":"Garage()"},"#
        + #""started":"2026-05-01T08:00:00Z","format":1}"#)
    let selection = try HostSelection(header, named: nil)
    #expect(
      selection.refusal(asked: [], hasDaemon: true, data: " --data /d").reply.message.hasSuffix(
        """
        Tests made this recording, and they cannot be a host. To fix, name another executable of the \
        package that makes it, such as your app: debugd host .build/debug/App --data /d (its main \
        calls ReducerHost.runIfAsked(…) first).
        """))
    #expect(
      selection.refusal(asked: [], hasDaemon: false, data: "").reply.message.hasSuffix(
        """
        such as your app: --host .build/debug/App (its main calls ReducerHost.runIfAsked(…) first).
        """))
  }

  @Test("that make many machines names only some of them", arguments: [9, 10, 11, 2_000])
  func manyMachines(count: Int) throws {
    let header = try Header(
      reading: #"{"timeline":"\#(HostWorld.timeline)","app":{"name":"Coins","process":"Coins"},"#
        + #""machine":{"type":"Coin","name":"coin","make":"Coin()"},"#
        + #""started":"2026-05-01T08:00:00Z","format":1}"#)
    let host = ToInspector.HostSummary {
      $0.name = "Coins"
      $0.makes = (0..<count).map { "M\($0)()" }
    }
    let message = try HostSelection(header, named: nil)
      .refusal(asked: [host], hasDaemon: true, data: "").reply.message
    let listed = (0..<min(count, 10)).map { "M\($0)()" }.joined(separator: ", ")
    let more = count > 10 ? ", and \(count - 10) more" : ""
    #expect(message.contains("Coins makes \(listed)\(more), not Coin()."), "\(message)")
  }

  @Test("where there is no daemon")
  func noDaemon() {
    #expect(
      Refusal.needsDaemon(.compute(FromInspector.Compute())).reply.message == """
        Only a running daemon can compute states that were not captured. To fix, start it: debugd \
        serve
        """)
    #expect(
      HostPool.fileRemedy("Coin") == """
        To fix, name the executable that makes it: --host .build/debug/Coin (its main calls \
        ReducerHost.runIfAsked(…) first).
        """)
  }
}
