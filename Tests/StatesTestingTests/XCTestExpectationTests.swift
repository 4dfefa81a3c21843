import StatesCore
import StatesTesting
import XCTest

private struct Lamp: Reducible {
  private(set) var isOn = false
  enum Event { case pressed }
  static func reduce(state: Lamp, event: Event) -> Lamp { Lamp(isOn: !state.isOn) }
}

/// The same expectations in XCTest, which only needs tests that throw.
final class XCTestExpectationTests: XCTestCase {
  func testMet() throws {
    try expect(Lamp()).after(.pressed).toTurn { $0.isOn }
  }

  func testNotMet() {
    let line = #line + 1
    XCTAssertThrowsError(try expect(Lamp()).after(.pressed).to(\.isOn, equal: false)) { error in
      XCTAssertEqual((error as? ExpectationFailure)?.line, line)
      XCTAssertTrue("\(error)".contains("to equal false after pressed, but it is true."))
    }
  }
}
