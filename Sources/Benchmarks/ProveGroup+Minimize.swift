import JSONCore
import Predicates
import StatesCore
import Timelines
import Wire

extension Group {
  /// The time to find the events that a failure needs.
  static let minimizeMetric = Metric(
    "prove.minimize_100k_s",
    "seconds to find three events among 100,000, until the branch is ready",
    goal: .atMost(10))

  /// The number of runs of the reducer for that.
  static let minimizeRunsMetric = Metric(
    "prove.minimize_100k_runs", "runs of the reducer that this takes", goal: .atMost(200))

  /// Minimizes a recording of a vault through a daemon.
  static func minimizeTimes(_ measure: Measure) throws -> [String: Double] {
    let count = measure.isQuick ? 1_000 : 100_000
    let rounds = measure.isQuick ? 1 : 3
    return try blocking {
      let recording = try await HostedRecording(
        of: MinimizedVault.self, from: MinimizedVault(), MinimizedVault.events(count))
      do {
        let predicate = try Predicate("state.opened")
        var (times, runs): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
          let (answer, seconds) = try await recording.ask(
            .minimize(
              FromInspector.Minimize {
                $0.timeline = recording.timeline
                $0.predicate = predicate
              }))
          guard case .minimize(let result) = answer, result.minimal, result.events == 3 else {
            throw BenchmarkError("the three events were not found")
          }
          times.append(seconds)
          runs.append(Double(result.runs))
        }
        await recording.end()
        return [
          "prove.minimize_100k_s": Measure.median(times),
          "prove.minimize_100k_runs": Measure.median(runs),
        ]
      } catch {
        await recording.end()
        throw error
      }
    }
  }
}

/// A vault that three turns in order open. Another order locks it again from the start.
struct MinimizedVault: Reducible, Codable {
  var dials = [Int](repeating: 0, count: 12)
  var stage = 0
  var opened = false

  enum Event: Codable {
    case dialled(dial: Int, to: Int)
    case turned(key: Int)
    case tried
  }

  static func reduce(state: MinimizedVault, event: Event) -> MinimizedVault {
    var next = state
    switch event {
    case .dialled(let dial, let number):
      guard next.dials.indices.contains(dial) else { return next }
      next.dials[dial] = number
    case .turned(let key): next.stage = key == next.stage + 1 ? key : key == 1 ? 1 : 0
    case .tried: next.opened = next.opened || next.stage == 2
    }
    return next
  }

  /// Many turned dials, and keys in the wrong order; the three events that open it are far apart.
  static func events(_ count: Int) -> [String] {
    (1...count).map { number in
      if number == count / 10 || number == count / 4 { return #"{"turned":{"key":2}}"# }
      if number == count / 3 { return #"{"turned":{"key":1}}"# }
      if number == count * 2 / 3 { return #"{"turned":{"key":2}}"# }
      if number == count - count / 50 || number == count / 5 { return #"{"tried":{}}"# }
      return #"{"dialled":{"dial":\#(number % 12),"to":\#(number % 97)}}"#
    }
  }
}
