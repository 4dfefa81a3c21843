import DebugServer
import Testing

@Suite("The gate")
struct GateTests {
  let gate = Gate(port: 7357, isSecure: false, names: ["Box.example"], origins: ["http://dev:80"])

  private func request(_ change: (inout GateRequest) -> Void) -> GateRequest {
    var request = GateRequest()
    request.hosts = ["127.0.0.1:7357"]
    change(&request)
    return request
  }

  /// The status of a refusal; 0 when it is let in.
  private func status(_ decision: GateDecision) -> Int {
    if case .refuse(let status, _) = decision { status } else { 0 }
  }

  @Test(
    "lets in by its own names with the port, exactly",
    arguments: [
      ("127.0.0.1:7357", true), ("localhost:7357", true), ("LocalHost:7357", true),
      ("[::1]:7357", true), ("box.example:7357", true),
      ("127.0.0.1", false), ("127.0.0.1:80", false), ("127.0.0.1:73570", false),
      ("127.0.0.2:7357", false), ("evil.example:7357", false),
      ("localhost.evil.example:7357", false),
      ("evil.localhost:7357", false), ("192.168.0.7:7357", false), ("127.0.0.1:7357.", false),
      ("127.0.0.1:7357, evil.example", false), ("user@127.0.0.1:7357", false), ("", false),
    ])
  func hosts(host: String, isLetIn: Bool) {
    #expect(status(gate.decide(request { $0.hosts = [host] })) == (isLetIn ? 0 : 421))
  }

  @Test("takes neither no name nor two")
  func hostCount() {
    #expect(status(gate.decide(request { $0.hosts = [] })) == 421)
    #expect(status(gate.decide(request { $0.hosts += $0.hosts })) == 421)
  }

  @Test(
    "lets pages in by their origin, exactly",
    arguments: [
      ("http://127.0.0.1:7357", true), ("http://localhost:7357", true), ("http://[::1]:7357", true),
      ("http://box.example:7357", true), ("http://dev:80", true),
      ("null", false), ("https://127.0.0.1:7357", false), ("http://127.0.0.1", false),
      ("http://127.0.0.1:7357.evil.example", false), ("http://evil.example", false),
      ("file://", false), ("http://127.0.0.1:7357/", false), ("", false),
    ])
  func origins(origin: String, isLetIn: Bool) {
    let decision = gate.decide(
      request {
        $0.origins = [origin]
        $0.isUpgrade = true
        $0.subprotocols = ["inspector.v1"]
      })
    #expect(status(decision) == (isLetIn ? 0 : 403))
  }

  @Test("upgrades at / with a role only")
  func upgrades() {
    func decide(_ path: String, _ subprotocols: [String]) -> GateDecision {
      gate.decide(
        request {
          $0.path = path
          $0.isUpgrade = true
          $0.subprotocols = subprotocols
        })
    }
    #expect(decide("/", ["recorder.v1"]) == .upgrade(.recorder))
    #expect(decide("/", ["x", "inspector.v1"]) == .upgrade(.inspector))
    #expect(status(decide("/", [])) == 400)
    #expect(status(decide("/", ["chat"])) == 400)
    #expect(status(decide("/socket", ["recorder.v1"])) == 404)
  }

  @Test("serves files to GET and HEAD only, and none through the Unix socket")
  func files() {
    #expect(gate.decide(request { $0.method = "HEAD" }) == .page)
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
      #expect(status(gate.decide(request { $0.method = method })) == 405)
    }
    #expect(status(gate.decide(request { $0.entrance = .socket })) == 404)
  }

  @Test("lets no page in through the Unix socket, whatever it is called")
  func socket() {
    let upgrade = request {
      $0.entrance = .socket
      $0.hosts = ["localhost"]
      $0.isUpgrade = true
      $0.subprotocols = ["recorder.v1"]
    }
    #expect(gate.decide(upgrade) == .upgrade(.recorder))
    var page = upgrade
    page.origins = ["http://localhost"]
    #expect(status(gate.decide(page)) == 403)
  }

  @Test("knows its names without the port where that is the scheme's own")
  func usualPort() {
    let gate = Gate(port: 443, isSecure: true)
    #expect(gate.hosts.contains("localhost"))
    #expect(gate.origins.contains("https://localhost"))
    #expect(!gate.origins.contains("http://localhost"))
  }
}
