import Testing
import Timelines

@testable import Recorder

@Suite("Rotation among daemons")
struct DaemonRotationTests {
  private static func failed(
    _ rotation: inout DaemonRotation, at now: Duration = .zero
  ) -> Duration {
    rotation.beginAttempt()
    return rotation.fail("no answer", wasAccepted: false, at: now, chance: 1)
  }

  @Test("tries each daemon in turn, and knows when all have failed")
  func order() {
    var rotation = DaemonRotation(count: 3, retry: RetryPolicy())
    var order = [rotation.current]
    for attempt in 1...6 {
      _ = Self.failed(&rotation)
      order.append(rotation.current)
      #expect(rotation.hasFailedEverywhere == (attempt >= 3))
    }
    #expect(order == [0, 1, 2, 0, 1, 2, 0])
    #expect(rotation.problems == ["no answer", "no answer", "no answer"])
  }

  @Test("tries each of several daemons as often as a single one", arguments: 1...5)
  func delays(count: Int) {
    var single = DaemonRotation(count: 1, retry: RetryPolicy())
    var several = DaemonRotation(count: count, retry: RetryPolicy())
    for round in 1...12 {
      let alone = Self.failed(&single)
      let together = (0..<count).reduce(Duration.zero) { sum, _ in sum + Self.failed(&several) }
      let difference = together - alone
      #expect(
        difference < .milliseconds(1) && difference > .milliseconds(-1), "round \(round)")
    }
  }

  @Test("leaves a daemon out that refused, until it may be tried again")
  func refusal() {
    let retry = RetryPolicy()
    var rotation = DaemonRotation(count: 2, retry: retry)
    let refused = rotation.refuse("wrong secret", at: .zero, chance: 1)
    #expect(!refused.isEverywhere && refused.until < .seconds(1))
    #expect(rotation.hasRefused(0) && rotation.current == 1)
    _ = Self.failed(&rotation, at: .seconds(1))
    #expect(rotation.current == 1)
    _ = Self.failed(&rotation, at: retry.afterRefusal)
    #expect(rotation.current == 0)
  }

  @Test("waits for the first of the daemons if all have refused")
  func refusedEverywhere() {
    let retry = RetryPolicy()
    var rotation = DaemonRotation(count: 2, retry: retry)
    _ = rotation.refuse("wrong secret", at: .zero, chance: 1)
    let (until, isEverywhere) = rotation.refuse("other version", at: .seconds(7), chance: 1)
    #expect(isEverywhere && until == retry.afterRefusal && rotation.current == 0)
    rotation.accept()
    #expect(!rotation.hasRefused(0) && rotation.problems == [nil, "other version"])
    #expect(!rotation.hasFailedEverywhere)
  }
}
