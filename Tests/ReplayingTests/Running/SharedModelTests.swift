import JSONCore
import Replaying
import Testing

@Suite("Models that change behind a reference")
struct SharedModelTests {
  private static func events() throws -> [JSONSlice] {
    [try JSONSlice(validating: Array("1".utf8))]
  }

  @Test("which are objects send no events to copies, and have no moments to return to")
  func object() throws {
    let replayer = ModelReplayer(Toggle())
    _ = try replayer.begin()
    // Nothing shows it afterward: the second event takes back what the first one did.
    let isRefused = try replayer.expansion(of: Self.events()) == nil
    #expect(isRefused)
    let hasMark = replayer.mark != nil
    #expect(!hasMark)
  }

  @Test("which have an object are found out after an event")
  func holder() throws {
    let replayer = ModelReplayer(Holder())
    _ = try replayer.begin()
    let expansion = try #require(try replayer.expansion(of: Self.events()))
    let isRead = try expansion.go(along: [])
    #expect(isRead)
    let isIntactBefore = try expansion.isIntact()
    #expect(isIntactBefore)
    _ = try expansion.send(0)
    let isIntactAfter = try expansion.isIntact()
    #expect(!isIntactAfter)
  }

  @Test("which have an object are found out at a path, before an event")
  func path() throws {
    let replayer = ModelReplayer(Holder())
    _ = try replayer.begin()
    let expansion = try #require(try replayer.expansion(of: Self.events()))
    let isRead = try expansion.go(along: [0])
    #expect(isRead)
    let isIntact = try expansion.isIntact()
    #expect(!isIntact)
  }

  @Test("are not those that make their state each time")
  func made() throws {
    let replayer = ModelReplayer(Row())
    _ = try replayer.begin()
    let expansion = try #require(try replayer.expansion(of: Self.events()))
    for path in [[], [0], [0, 0]] as [[Int64]] {
      let isRead = try expansion.go(along: path)
      #expect(isRead)
      let isNew = try expansion.send(0)?.moment != nil
      #expect(isNew)
      let isIntact = try expansion.isIntact()
      #expect(isIntact)
    }
  }
}

private final class Toggle: MachineModel {
  var state = 0

  func decode(_ event: JSONSlice) throws(ReplayError) -> Int64 { event.int ?? 0 }

  func handle(_ event: Int64) -> String? {
    state = 1 - state
    return nil
  }

  func restore(_ state: JSONSlice) throws(ReplayError) { self.state = Int(state.int ?? 0) }
}

private struct Holder: MachineModel {
  private final class Box { var sum = 0 }

  private let box = Box()

  var state: Int { box.sum }

  func decode(_ event: JSONSlice) throws(ReplayError) -> Int64 { event.int ?? 0 }

  func handle(_ event: Int64) -> String? {
    box.sum += Int(event)
    return nil
  }

  func restore(_ state: JSONSlice) throws(ReplayError) { box.sum = Int(state.int ?? 0) }
}

private struct Row: MachineModel {
  private var count = 3

  var state: [Int] { Array(repeating: 7, count: count) }

  func decode(_ event: JSONSlice) throws(ReplayError) -> Int64 { event.int ?? 0 }

  mutating func handle(_ event: Int64) -> String? {
    count += Int(event)
    return nil
  }

  mutating func restore(_ state: JSONSlice) throws(ReplayError) {
    count = 0
    for _ in state.elements { count += 1 }
  }
}
