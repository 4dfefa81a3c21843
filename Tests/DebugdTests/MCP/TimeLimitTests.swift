import Testing

@testable import debugd

@Suite("A time limit")
struct TimeLimitTests {
  @Test("passes the result of work on")
  func result() async {
    let result = await TimeLimit.run(.seconds(3600)) { 7 }
    #expect(result == 7)
  }

  @Test("ends the wait for work that does not end, even when it is canceled")
  func limit() async {
    let (silence, end) = AsyncStream.makeStream(of: Void.self)
    let result = await TimeLimit.run(.zero) {
      await Task { for await _ in silence {} }.value
      return 7
    }
    #expect(result == nil)
    end.finish()
  }

  @Test("ends with its caller")
  func cancellation() async {
    let (silence, end) = AsyncStream.makeStream(of: Void.self)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let caller = Task {
      await TimeLimit.run(.seconds(3600)) {
        begin.finish()
        await Task { for await _ in silence {} }.value
        return 7
      }
    }
    for await _ in begun {}
    caller.cancel()
    #expect(await caller.value == nil)
    end.finish()
  }
}
