import JSONCore
import StatesCore
import Timelines

extension Group {
  /// How long it takes to find the few events that matter.
  static let minimiseMetric = Metric(
    "prove.minimise_100k_s",
    "seconds to find three events among 100,000, until the branch is there",
    goal: .atMost(10))

  /// How often the reducer was run for that.
  static let minimiseRunsMetric = Metric(
    "prove.minimise_100k_runs", "runs of the reducer that this takes", goal: .atMost(200))

  /// Minimises a recording of a vault through a daemon.
  static func minimiseTimes(_ measure: Measure) throws -> [String: Double] {
    let count = measure.isQuick ? 1_000 : 100_000
    let rounds = measure.isQuick ? 1 : 3
    return try blocking {
      let desk = try await HostedRecording(
        of: MinimisedVault.self, from: MinimisedVault(), MinimisedVault.events(count))
      do {
        let predicate = try Predicate("state.opened")
        var (times, runs): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
          let (answer, seconds) = try await desk.ask(
            .minimise(
              FromInspector.Minimise {
                $0.timeline = desk.timeline
                $0.predicate = predicate
              }))
          guard case .minimise(let result) = answer, result.minimal, result.events == 3 else {
            throw BenchmarkError("the three events were not found")
          }
          times.append(seconds)
          runs.append(Double(result.runs))
        }
        await desk.end()
        return [
          "prove.minimise_100k_s": Measure.median(times),
          "prove.minimise_100k_runs": Measure.median(runs),
        ]
      } catch {
        await desk.end()
        throw error
      }
    }
  }
}

/// A vault that three turns open when they come in order; every other turn of those locks it again
/// from the start.
struct MinimisedVault: Reducible, Codable {
  var dials = [Int](repeating: 0, count: 12)
  var stage = 0
  var opened = false

  enum Event: Codable {
    case dialled(dial: Int, to: Int)
    case turned(key: Int)
    case tried
  }

  static func reduce(state: MinimisedVault, event: Event) -> MinimisedVault {
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

  /// Dials are turned all the time, and keys in the wrong order; what opens it lies far apart.
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
