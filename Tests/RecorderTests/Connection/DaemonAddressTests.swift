import Testing

@testable import Recorder

@Suite("Daemon address")
struct DaemonAddressTests {
  @Test(
    "reads what it writes",
    arguments: [
      "unix:/run/d/recorder.sock", "ws://127.0.0.1:7357", "wss://[::1]:1", "ws://a-b.c:65535",
    ])
  func round(text: String) {
    #expect(DaemonAddress(text)?.description == text)
  }

  @Test(
    "reads nothing else",
    arguments: [
      "", "unix:", "unix:relative", "unix:/a\u{0}b", "unix:/" + String(repeating: "a", count: 104),
      "ws://", "ws://host", "ws://host:0", "ws://host:65536", "ws://host:x", "ws://:1",
      "ws://::1:1",
      "ws://a b:1", "ws://a/b:1", "ws://user@host:1", "http://host:1", "WS://host:1",
    ])
  func wrong(text: String) {
    #expect(DaemonAddress(text) == nil)
  }

  @Test(
    "reads several addresses, also with a comma in a path",
    arguments: [
      ("unix:/a", ["unix:/a"]), ("unix:/a,wss://b:1", ["unix:/a", "wss://b:1"]),
      ("unix:/a,b,ws://c:1,unix:/d", ["unix:/a,b", "ws://c:1", "unix:/d"]),
    ] as [(String, [String])])
  func list(text: String, addresses: [String]) {
    #expect(DaemonAddress.list(text)?.map(\.description) == addresses)
  }

  @Test(
    "reads no list with an address that is not one",
    arguments: [
      "", ",", "wss://b:1,", ",wss://b:1", "wss://b:1,b:2", "wss://b:1, wss://c:1",
      Array(repeating: "unix:/a", count: 17).joined(separator: ","),
    ])
  func wrongList(text: String) {
    #expect(DaemonAddress.list(text) == nil)
  }

  @Test("finds the socket of a daemon that was started without options")
  func standard() {
    let home = ["HOME": "/h"]
    #expect(DaemonAddress.standard(home) == .socket("/h/.local/state/debugd/run/recorder.sock"))
    let state = home.merging(["XDG_STATE_HOME": "/s"]) { $1 }
    #expect(DaemonAddress.standard(state) == .socket("/s/debugd/run/recorder.sock"))
    let service = state.merging(["STATE_DIRECTORY": "/var/s"]) { $1 }
    #expect(DaemonAddress.standard(service) == .socket("/var/s/run/recorder.sock"))
    let runtime = service.merging(["XDG_RUNTIME_DIR": "/run/1"]) { $1 }
    #expect(DaemonAddress.standard(runtime) == .socket("/run/1/debugd/recorder.sock"))
    #expect(DaemonAddress.standard(["HOME": "relative"]) == nil)
  }
}
