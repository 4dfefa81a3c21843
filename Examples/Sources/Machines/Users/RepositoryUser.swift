import StatesCore

/// A simulated user who searches repositories, types again before the answer, and reads on.
@MainActor
package func browse(
  _ run: FeedbackRun<RepositorySearch, RepositorySearch.Event>, _ pace: Pace, times: Int
) async {
  for _ in 0..<times {
    await pace.rest()
    if pace.pick(3) > 0 {
      run.send(.reachedEnd)
    } else {
      let word = pace.pick(of: ["swift", "states", "debugger", "broken?"])
      // Typed letter by letter, so that each request cancels the previous one.
      for length in 1...word.count {
        run.send(.typed(String(word.prefix(length))))
        await pace.rest(0.1)
      }
      // Reads the answer, if there is one.
      await pace.rest(3)
    }
  }
}
