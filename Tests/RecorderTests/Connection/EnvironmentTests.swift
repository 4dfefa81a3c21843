import Testing

@testable import Recorder

@Suite("A daemon in the environment")
struct EnvironmentTests {
  private func daemon(_ variables: [String: String]) throws -> DaemonDestination {
    var configured = DaemonDestination(address: "unix:/elsewhere", secret: "a secret of the code's")
    configured.trust = .fingerprint("00")
    let found = RecorderEnvironment(variables).destinations([.daemon(configured)]) { _ in }
    let daemons = try #require(found).compactMap { destination in
      if case .daemon(let daemon) = destination { daemon } else { nil }
    }
    #expect(daemons.count == 1)
    return try #require(daemons.first)
  }

  @Test("replaces the code's address, and its secret and trust if it has them")
  func variables() throws {
    let address = ["DEBUGD": "wss://box.example:7357"]
    let plain = try daemon(address)
    #expect(plain.address == "wss://box.example:7357")
    #expect(plain.secret == "a secret of the code's" && plain.trust == .fingerprint("00"))
    let secret = try daemon(address.merging(["DEBUGD_SECRET_FILE": "/s"]) { $1 })
    #expect(secret.secret == nil && secret.secretPath == "/s")
    let authority = try daemon(address.merging(["DEBUGD_AUTHORITY": "/a.pem"]) { $1 })
    #expect(authority.trust == .authority(path: "/a.pem"))
    let print = try daemon(address.merging(["DEBUGD_FINGERPRINT": "ab:cd"]) { $1 })
    #expect(print.trust == .fingerprint("ab:cd"))
  }
}
