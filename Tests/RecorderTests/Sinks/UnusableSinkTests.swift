import Foundation
import Recorder
import StatesCore
import Synchronization
import TestSupport
import Testing

@Suite("A destination that cannot be used")
struct UnusableSinkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The log of a recorder with ten events.
  private func lines(_ destinations: [RecordingDestination]) -> [String] {
    let lines = Mutex<[String]>([])
    var options = RecorderOptions()
    options.destinations = destinations
    options.log = { line in lines.withLock { $0.append(line) } }
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    let form = recorder.record(StateForm(state: 1), as: "form")
    for _ in 0..<10 { form.apply { $0 += 1 } }
    recorder.close(within: .seconds(120))
    return lines.withLock(\.self)
  }

  private func secret(_ text: String, mode: mode_t) throws -> String {
    let path = folder.path("secret")
    try Data(text.utf8).write(to: URL(filePath: path))
    chmod(path, mode)
    return path
  }

  private static let address = "ws://127.0.0.1:9"

  @Test("is a daemon without a secret: one line reports that nothing is sent, and why")
  func missingSecret() {
    #expect(
      lines([.daemon(DaemonDestination(address: Self.address))]) == [
        """
        Nothing is sent to \(Self.address). Recording over a network needs a secret of at least 16 \
        bytes, and this one has 0. To fix, set DEBUGD_SECRET_FILE to the path of the daemon's secret.
        """
      ])
  }

  @Test("is a daemon whose secret cannot be read: one line says that nothing is sent, and why")
  func unreadableSecret() throws {
    let path = try secret("0123456789abcdef", mode: 0o644)
    for (path, why) in [
      (path, "Other users can read it."),
      (
        folder.path("none"),
        "No such file or directory. To fix, pass the path of a file that you can read."
      ),
    ] {
      let daemon = DaemonDestination(address: Self.address, secretPath: path)
      let lines = lines([.daemon(daemon)])
      #expect(lines.count == 1, "\(lines)")
      let beginning =
        "Nothing is sent to \(Self.address). The secret cannot be read from \(path): "
      #expect(lines.first?.hasPrefix(beginning + why) == true, "\(lines)")
    }
  }

  @Test("is a daemon without TLS whose certificate is to be checked: nothing is sent in the clear")
  func pinWithoutTLS() throws {
    let path = try secret("0123456789abcdef", mode: 0o600)
    let pin = String(repeating: "ab", count: 32)
    for trust in [DaemonTrust.fingerprint(pin), .authority(path: path)] {
      var daemon = DaemonDestination(address: Self.address, secretPath: path)
      daemon.trust = trust
      #expect(
        lines([.daemon(daemon)]) == [
          """
          Nothing is sent to \(Self.address): a certificate can be checked only over TLS. To fix, write \
          wss:// in the address, or unset DEBUGD_AUTHORITY and DEBUGD_FINGERPRINT.
          """
        ])
    }
  }

  @Test("is a daemon with an impossible fingerprint: one line says that nothing is sent, and why")
  func fingerprint() throws {
    let path = try secret("0123456789abcdef", mode: 0o600)
    var daemon = DaemonDestination(address: "wss://127.0.0.1:9", secretPath: path)
    daemon.trust = .fingerprint("12:34")
    let lines = lines([.daemon(daemon)])
    #expect(lines.count == 1, "\(lines)")
    #expect(
      lines.first?.hasPrefix(
        "Nothing is sent to wss://127.0.0.1:9. The certificate fingerprint 12:34") == true)
  }

  @Test(
    "is a daemon whose authority's certificates cannot be read: one line names the file, and why",
    arguments: [
      (
        "none.pem",
        """
        No such file or directory. To fix, pass the path of a PEM file that you can read, in \
        DEBUGD_AUTHORITY or DaemonDestination.trust.
        """
      ),
      (
        "",
        """
        it is not a file. To fix, pass the path of a PEM file that you can read, in DEBUGD_AUTHORITY \
        or DaemonDestination.trust.
        """
      ),
    ])
  func authority(_ name: String, _ why: String) throws {
    let path = try secret("0123456789abcdef", mode: 0o600)
    let file = folder.path(name)
    var daemon = DaemonDestination(address: "wss://127.0.0.1:9", secretPath: path)
    daemon.trust = .authority(path: file)
    #expect(
      lines([.daemon(daemon)]) == [
        """
        Nothing is sent to wss://127.0.0.1:9. The authority's certificates cannot be read from \
        \(file): \(why)
        """
      ])
  }

  @Test("is a daemon whose authority's file has no certificate")
  func emptyAuthority() throws {
    let path = try secret("0123456789abcdef", mode: 0o600)
    var daemon = DaemonDestination(address: "wss://127.0.0.1:9", secretPath: path)
    daemon.trust = .authority(path: path)
    #expect(
      lines([.daemon(daemon)]) == [
        """
        Nothing is sent to wss://127.0.0.1:9. \(path), the file of the authority's certificates, has \
        no certificate in PEM form. To fix, name a file with a line "-----BEGIN CERTIFICATE-----", in \
        DEBUGD_AUTHORITY or DaemonDestination.trust.
        """
      ])
  }

  @Test("does not prevent another one from recording, and has its own log line")
  func besideAnother() throws {
    let place = folder.path("recordings")
    let lines = lines([
      .daemon(DaemonDestination(address: Self.address)), .file("/proc/nowhere"), .file(place),
    ])
    #expect(lines.count == 3, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("Nothing is sent to \(Self.address). ") })
    #expect(lines.contains { $0.hasPrefix("The folder /proc/nowhere cannot be created") })
    #expect(lines.contains { $0.hasPrefix("11 entries are missing from the recordings in /proc") })
    #expect(FileManager.default.fileExists(atPath: "\(place)/form.timeline"))
  }

  @Test(
    "is a file where the user may not write",
    .enabled(if: geteuid() != 0, "root may write everywhere"))
  func permission() throws {
    let place = folder.path("closed")
    #expect(mkdir(place, 0o500) == 0)
    let lines = lines([.file("\(place)/run.timeline")])
    #expect(lines.count == 2, "\(lines)")
    let why = """
      A recording in \(place)/run.timeline cannot be created: Permission denied. To fix, record to a \
      folder that you can write to.
      """
    #expect(lines.allSatisfy { $0.hasSuffix(why) }, "\(lines)")
  }
}
