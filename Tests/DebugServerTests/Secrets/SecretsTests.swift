import DebugServer
import Foundation
import TestSupport
import Testing
import Timelines
import Wire

@Suite("Secrets")
struct SecretsTests {
  /// Lends a folder to a closure.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    try body(folder)
  }

  @Test("a recorder's secret is made once, has 256 bits and mode 0600")
  func secret() throws {
    try inFolder { folder in
      let path = folder + "/recorder.secret"
      let secret = try RecorderSecret.load(orCreateAt: path)
      #expect(secret.bytes.count == 64)
      #expect(FileManager.default.contents(atPath: path) == Data(secret.bytes + [0x0A]))
      #expect(try RecorderSecret.load(orCreateAt: path).bytes == secret.bytes)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["recorder.secret"])
    }
  }

  @Test("a secret that others can read, a link, a folder and nonsense are refused with a sentence")
  func badSecret() throws {
    try inFolder { folder in
      let path = folder + "/recorder.secret"
      var advice = ""
      func reason() -> PrivateFileError.Reason? {
        do {
          _ = try RecorderSecret.load(orCreateAt: path)
          return nil
        } catch {
          #expect(error.description.contains(path))
          advice = error.description
          return error.reason
        }
      }
      _ = try RecorderSecret.load(orCreateAt: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      #expect(reason() == .open(0o644))
      #expect(
        advice == """
          \(path) can be read by others (mode 644). To fix, make it yours alone: chmod 600 \(path)
          """)
      let real = folder + "/elsewhere"
      try FileManager.default.moveItem(atPath: path, toPath: real)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: real)
      #expect(reason() == .isLink)
      #expect(advice == "\(path) is a link, which is not followed. To fix, remove it.")
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      #expect(reason() == .isNotAFile)
      #expect(advice == "\(path) is not a file. To fix, remove it.")
      try FileManager.default.removeItem(atPath: path)
      try PrivateFile(path).replace(with: Array("not a secret\n".utf8))
      guard case .content? = reason() else {
        Issue.record("nonsense is taken for a secret")
        return
      }
      #expect(advice == "\(path) does not hold a secret of 16 bytes or more. To fix, remove it.")
      try PrivateFile(path).replace(with: [UInt8](repeating: 0x61, count: 10_000))
      guard case .tooLong(let limit)? = reason() else {
        Issue.record("ten thousand letters are taken for a secret")
        return
      }
      #expect(advice == "\(path) is longer than \(limit) bytes. To fix, remove it.")
      if geteuid() == 0, chown(path, 65_534, 65_534) == 0 {
        #expect(reason() == .foreign)
        #expect(advice == "\(path) belongs to another user. To fix, remove it.")
      }
      try FileManager.default.removeItem(atPath: path)
      #expect(reason() == nil, "what was removed is made again")
    }
  }

  @Test("a link at the path of a new file is not followed")
  func writingThroughLink() throws {
    try inFolder { folder in
      let (path, victim) = (folder + "/sessions.json", folder + "/victim")
      try Data("precious".utf8).write(to: URL(filePath: victim))
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
      try PrivateFile(path).replace(with: Array("{}".utf8))
      #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
      #expect(try PrivateFile(path).read(limit: 10) == Array("{}".utf8))
    }
  }

  @Test("sessions outlive the daemon in a file of mode 0600")
  func sessions() throws {
    try inFolder { folder in
      var table = SessionTable()
      let token = Token.random()
      _ = table.add(
        secret: token, capabilities: [.look, .control], client: "Firefox",
        at: Timestamp(microseconds: 1_000_000))
      let path = folder + "/sessions.json"
      try SessionFile(path).save(table)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      let loaded = try SessionFile(path).load()
      #expect(loaded.sessions == table.sessions)
      #expect(loaded.session(id: "s1")?.capabilities == [.look, .control])
      // Sessions of an earlier version have no secret, and authenticate no one.
      let old =
        #"{"sessions":[{"id":"s1","hash":"00","capabilities":[],"created":"2026-05-01T08:00:00Z"}]}"#
      try PrivateFile(path).replace(with: Array(old.utf8))
      #expect(try SessionFile(path).load().sessions.isEmpty)
    }
  }

  @Test("a table of sessions is bounded, the oldest are dropped, and ids are unique")
  func bounded() {
    var table = SessionTable()
    for number in 0..<(SessionTable.limit + 3) {
      let made = table.add(
        secret: "t\(number)", capabilities: [.look], client: nil, at: Timestamp(microseconds: 0))
      #expect(made.dropped.count == (number < SessionTable.limit ? 0 : 1))
    }
    #expect(table.sessions.count == SessionTable.limit)
    #expect(table.session(id: "s3") == nil)
    #expect(table.session(id: "s4") != nil)
    #expect(Set(table.sessions.map(\.id)).count == SessionTable.limit)
    let revoked = table.revoke(id: "s4")
    let again = table.revoke(id: "s4")
    #expect(revoked && !again)
  }

  @Test("codes are good once, for a minute, and few at a time")
  func codes() {
    var codes = OneTimeCodes()
    func redeem(_ name: String, _ now: Int64) -> [Capability]? { codes.redeem(name, now: now) }
    #expect(codes.issue("a", for: [.look], now: 0) == "c1.a")
    #expect(codes.secret(of: "c1", now: 59_999) == "a")
    #expect(codes.secret(of: "c1", now: 60_000) == nil)
    #expect(redeem("c2", 1) == nil)
    #expect(redeem("c1", 59_999) == [.look])
    #expect(redeem("c1", 59_999) == nil)
    _ = codes.issue("c", for: [.look], now: 0)
    #expect(redeem("c2", 60_000) == nil)
    for number in 0...OneTimeCodes.limit { _ = codes.issue("\(number)", for: [.look], now: 70_000) }
    #expect(codes.count == OneTimeCodes.limit)
    #expect(redeem("c3", 70_000) == nil)
    #expect(redeem("c4", 70_000) == [.look])
  }

  @Test("hexadecimal digits are read back, and nothing else is")
  func hex() {
    #expect(Token.bytes(hex: Token.hex([0, 15, 16, 255])) == [0, 15, 16, 255])
    for text in ["0", "0G", "AB", "é0", " 0"] { #expect(Token.bytes(hex: text) == nil) }
    #expect(Token.random() != Token.random())
  }

  @Test("secrets are compared whole")
  func comparison() {
    #expect(ConstantTime.equal("", ""))
    #expect(ConstantTime.equal("abc", "abc"))
    for other in ["", "ab", "abd", "bbc", "abcd", "ABC"] {
      #expect(!ConstantTime.equal("abc", other))
    }
  }
}
