import Foundation
import JSONCore
import StatesCore
import Testing

@testable import StatesTesting

@Suite("What a fixture's errors advise")
struct StatesTestingRemedyTests {
  @Test(
    "when it cannot be used",
    arguments: [
      (
        FixtureError.Reason.missing(["/a", "/b"]),
        """
        It was looked for in /a, /b. To fix, put it next to the test's source, or into the resources \
        of its target.
        """
      ),
      (.packed, "it is packed. To fix, unpack it, and name the unpacked file: zstd -d 'my coin'"),
      (.torn, "its last line was cut off. To fix, export it again."),
      (
        .copied("/copy"),
        """
        only a copy was found, /copy, and recording it again would change only the copy. To fix, \
        keep the fixture next to the test's source.
        """
      ),
      (
        .nothingCompared,
        """
        A test of it could not fail. To fix, have the timeline computed, or export another stretch.
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

  @Test("when an object is to begin later than it did")
  func object() throws {
    var model = ObjectModel(Lamp())
    let state = try JSONSlice(validating: Array(#"{"applied":3}"#.utf8))
    let error = #expect(throws: (any Error).self) { try model.restore(state) }
    #expect(
      "\(error, default: "")".hasSuffix(
        """
        An object can only be run from the beginning. To fix, export from entry 0 on, or without the \
        expression that makes the object.
        """))
    try model.restore(JSONSlice(validating: Array(#"{"applied":0}"#.utf8)))
  }

  @Test("when the app trapped at an event, how to run it")
  func trapped() {
    #expect(
      FixtureReplay.trapAdvice(event: "blown", seq: 2) == """
        the app trapped while it handled blown (entry 2), so that is not run. To run it, say \
        accepting: .from(2).
        """)
  }
}
