import Testing
import Timelines

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

  @Test("may have several addresses")
  func addresses() throws {
    let several = try daemon(["DEBUGD": "unix:/run/d.sock,wss://a.example:1,wss://b.example:1"])
    #expect(several.address == "unix:/run/d.sock")
    #expect(several.alternatives == ["wss://a.example:1", "wss://b.example:1"])
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

@Suite("The commit in the environment")
struct CommitEnvironmentTests {
  private static let hash = "8f3c2d1e5b7a9c0d4e6f8a1b3c5d7e9f0a2b4c6d"

  @Test("is that of the CI job", arguments: RecorderEnvironment.commitVariables)
  func job(name: String) {
    #expect(RecorderEnvironment([name: Self.hash]).commit == Self.hash)
    // Another program may use the name for something else.
    for other in ["", "main", "012345", String(repeating: "a", count: 65), "${GIT_COMMIT}"] {
      #expect(RecorderEnvironment([name: other]).commit == nil, "\(other)")
    }
  }

  @Test("is DEBUGD_COMMIT before that of the job, also if it is empty")
  func own() {
    let job = ["GITHUB_SHA": Self.hash]
    func commit(_ own: String) -> String? {
      RecorderEnvironment(job.merging(["DEBUGD_COMMIT": own]) { $1 }).commit
    }
    #expect(commit("r1234") == "r1234")
    #expect(commit("") == nil)
    #expect(commit(String(repeating: "x", count: 201)) == nil)
    #expect(RecorderEnvironment([:]).commit == nil)
  }

  @Test("is in the header, unless the app names another one")
  func header() throws {
    for given in [nil, "r5"] as [String?] {
      let memory = MemorySink()
      var options = RecorderOptions()
      options.destinations = [.memory(memory)]
      options.appCommit = given
      let recorder = StateRecorder(
        app: "Tests", options: options,
        environment: RecorderEnvironment(["CI_COMMIT_SHA": Self.hash]))
      let number = recorder.machine("number", initial: 1)
      recorder.close(within: .seconds(120))
      withExtendedLifetime(number) {}
      let app = try #require(memory.timeline(named: "number")?.header.app)
      #expect(app.commit == given ?? Self.hash)
    }
  }
}
