import Foundation
import JSONCore
import StatesCore
import Testing

@testable import StatesTesting

@Suite("The advice of a fixture's errors")
struct StatesTestingRemedyTests {
  @Test(
    "explains how to make the fixture usable",
    arguments: [
      (
        FixtureError.Reason.missing(["/a", "/b"]),
        """
        was not found in /a, /b. To fix, put it next to the test's source, or into the resources \
        of its target.
        """
      ),
      (
        .packed, "it is compressed. To fix, decompress it, and name the new file: zstd -d 'my coin'"
      ),
      (.torn, "its last line was cut off. To fix, export it again."),
      (
        .copied("/copy"),
        """
        only the copy /copy was found, and recording again would change only the copy. To fix, \
        keep the fixture next to the test's source.
        """
      ),
      (
        .nothingCompared,
        """
        so a test of it could not fail. To fix, fill in the timeline's states, or export another \
        stretch.
        """
      ),
    ] as [(FixtureError.Reason, String)])
  func fixture(reason: FixtureError.Reason, advice: String) {
    let error = FixtureError(reason, in: "my coin")
    #expect(error.description.hasSuffix(advice), "\(error)")
  }

  private final class Lamp: Stateful {
    private(set) lazy var state = Dispatcher(for: self)
    static func off() -> State { state { _ in } }
    static var dispatchable: [Dispatchable] { [Dispatchable("off()", off)] }
  }

  @Test("explains where an object can begin")
  func object() throws {
    var model = ObjectModel(Lamp())
    let state = try JSONSlice(validating: Array(#"{"applied":3}"#.utf8))
    let error = #expect(throws: (any Error).self) { try model.restore(state) }
    #expect(
      "\(error, default: "")".hasSuffix(
        """
        An object can only be run from its beginning. To fix, export from entry 0 on, or without the \
        expression that makes the object.
        """))
    try model.restore(JSONSlice(validating: Array(#"{"applied":0}"#.utf8)))
  }

  @Test("explains how to run an event at which the app trapped")
  func trapped() {
    #expect(
      FixtureReplay.trapAdvice(event: "blown", seq: 2) == """
        the app trapped while it handled blown (entry 2), so the test skips it. To run it, pass \
        accepting: .from(2).
        """)
  }
}
