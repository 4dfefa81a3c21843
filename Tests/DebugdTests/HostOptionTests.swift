import DebugServer
import Reruns
import Testing

@testable import debugd

@Suite("the option --host")
struct HostOptionTests {
  @Test(
    "names an executable, its arguments and its app",
    arguments: [
      ("build/App", HostSpec(path: "/w/build/App")),
      ("/srv/App --scene host", HostSpec(path: "/srv/App", arguments: ["--scene", "host"])),
      ("Commute=build/App", HostSpec(path: "/w/build/App", app: "Commute")),
      (
        #"'My App'="/srv/My App/app" 'one word' a\ b """#,
        HostSpec(path: "/srv/My App/app", arguments: ["one word", "a b", ""], app: "My App")
      ),
      (
        "Commute@2.4=/srv/2.4/App", HostSpec(path: "/srv/2.4/App", app: "Commute", version: "2.4")
      ),
      ("a@b@1=x", HostSpec(path: "/w/x", app: "a@b", version: "1")),
      ("./a=b", HostSpec(path: "/w/a=b")),
      ("././host.py", HostSpec(path: "/w/host.py")),
      ("../host.py", HostSpec(path: "/w/../host.py")),
      // A file that is there is taken as it is.
      ("/etc/hostname", HostSpec(path: "/etc/hostname")),
    ])
  func reads(_ text: String, _ spec: HostSpec) throws {
    #expect(try HostOption.spec(text, in: "/w") == spec)
  }

  @Test(
    "is refused with a sentence",
    arguments: ["", "  ", "App=", "=x", "App@=x", "@1=x", "'App@ '=x", "'open", "a\\"])
  func problems(_ text: String) {
    #expect(throws: ArgumentError.self) { try HostOption.spec(text, in: "/w") }
  }
}
