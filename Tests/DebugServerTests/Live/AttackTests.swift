import DebugServer
import Dispatch
import Foundation
import TestSupport
import Testing
import Wire

/// The attacker is a program of another language, with its own idea of HTTP and WebSockets.
@Suite("A daemon that is attacked", .serialized)
struct AttackTests {
  /// The expected result of each attack: a status, or the received codes.
  static let attacks: [(attack: String, expected: [String])] = [
    ("own name", ["101"]), ("own origin", ["101"]), ("offered compression", ["none"]),
    ("another name", ["421"]), ("another port", ["421"]), ("no port", ["421"]),
    ("another address", ["421"]), ("a longer name", ["421"]),
    ("a zero in the name", ["421", "400", "closed"]),
    ("a zero before the name", ["421", "400", "closed"]),
    ("another name after a zero", ["421", "400", "closed"]),
    ("two names", ["421", "400", "closed"]),
    ("no name", ["421", "400"]), ("name for the page", ["421"]),
    ("no name for the page", ["421", "400"]),
    ("name in the request line", ["421", "400", "403", "closed"]),
    ("origin null", ["403"]), ("another origin", ["403"]), ("origin of another port", ["403"]),
    ("origin with a tail", ["403"]), ("two origins", ["403", "400", "closed"]),
    ("another path", ["404"]), ("no subprotocol", ["400"]), ("another subprotocol", ["400"]),
    ("POST", ["405"]), ("OPTIONS", ["405"]),
    ("headers of the page", ["200"]), ("headers of a miss", ["404"]),
    ("headers of a refusal", ["421"]),
    ("path upwards", ["404", "403", "400", "closed"]),
    ("escaped path upwards", ["404", "403", "400", "closed"]),
    ("absolute path", ["404", "403", "400", "closed"]),
    ("a link", ["404"]), ("a hidden file", ["404"]), ("the secret", ["404"]),
    ("a huge header", ["431", "400", "closed"]), ("many headers", ["431", "400", "closed"]),
    ("no code", ["unauthorised 4001"]), ("a wrong code", ["unauthorised 4001"]),
    ("a wrong session", ["unauthorised 4001"]), ("a question first", ["unauthorised 4001"]),
    ("a newer version", ["version 4002"]), ("no proof", ["unauthorised 4001"]),
    ("a wrong proof", ["challenge unauthorised 4001"]),
    ("not JSON", ["malformed 4001"]), ("deep nesting", ["malformed 4001"]),
    ("a long number", ["malformed 4001"]), ("duplicate keys", ["malformed 4001"]),
    ("a binary frame", ["1003"]), ("too long", ["1009"]), ("announced too long", ["1009"]),
    ("too long for a stranger", ["1009"]), ("too long for a strange recorder", ["1009"]),
    ("negative length", ["1002", "1009", "closed"]), ("not masked", ["1002"]),
    ("not UTF-8", ["1007"]),
    ("an unknown opcode", ["1002"]), ("a long ping", ["1002", "closed"]),
    (
      "modes",
      [".=700 recorder.secret=600 run=700 run/recorder.sock=600 timelines.sqlite=600"]
    ),
    ("still there", ["200"]),
  ]

  @Test("rejects everyone, says why, and continues")
  func attacks() async throws {
    let web = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(web) }
    for (name, text) in [("index.html", "<!doctype html>"), (".hidden", "x")] {
      try Data(text.utf8).write(to: URL(filePath: web + "/" + name))
    }
    try FileManager.default.createSymbolicLink(
      atPath: web + "/link", withDestinationPath: "/etc/passwd")
    let log = KeptLog()
    try await LiveDaemon.with {
      $0.web = web
      $0.log = log
    } _: { running, configuration in
      let port = try #require(running.places.first?.port)
      let lines = Self.attacks.map {
        #"{"attack":"\#($0.attack)","port":\#(port),"data":"\#(configuration.data)"}"#
      }
      let answers = try await Self.attackers(lines)
      for (attack, answer) in zip(Self.attacks, answers) {
        #expect(attack.expected.contains(answer), "\(attack.attack): \(answer)")
      }
      let secret = try String(contentsOfFile: configuration.secretFile, encoding: .utf8)
      for event in log.events {
        #expect(!event.message.contains(secret.prefix(64)))
        #expect(!event.fields.contains { $0.value.contains(secret.prefix(64)) })
      }
    }
  }

  // A daemon of its own, so that the other attacks are not cut off on a busy machine.
  @Test("closes a connection that stays silent")
  func silence() async throws {
    try await LiveDaemon.with {
      $0.limits.wire.authenticationSeconds = 1
    } _: { running, _ in
      let port = try #require(running.places.first?.port)
      let answers = try await Self.attackers([#"{"attack":"silence","port":\#(port),"data":""}"#])
      #expect(answers == ["4001"])
    }
  }

  /// Runs the attacker outside the task pool, whose threads the daemon needs.
  static func attackers(_ lines: [String]) async throws -> [String] {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { try PythonOracle.answers(of: "daemon_attacks.py", to: lines) })
      }
    }
  }
}
