import Testing

@testable import StatesTesting

@Suite("The progress of a replay")
struct ReplayProgressTests {
  @Test("is reported every two seconds, and never for a short replay")
  func reports() {
    final class World {
      var now = ContinuousClock.now
      var lines: [String] = []
      var asked = 0
    }
    let world = World()
    var progress = ReplayProgress("checkout", count: 9_000) {
      world.asked += 1
      return world.now
    } write: {
      world.lines.append($0)
    }
    for _ in 0..<2_048 { progress.step() }
    #expect(world.lines.isEmpty)
    world.now += .milliseconds(2_100)
    for _ in 0..<1_023 { progress.step() }
    #expect(world.lines.isEmpty)
    progress.step()
    #expect(world.lines == ["checkout: 3072 of 9000 entries\n"])
    for _ in 0..<1_024 { progress.step() }
    #expect(world.lines.count == 1)
    world.now += .seconds(3)
    for _ in 0..<1_024 { progress.step() }
    #expect(world.lines.last == "checkout: 5120 of 9000 entries\n")
    // Reading the clock costs as much as a small entry.
    #expect(world.asked == 6)
  }
}
