import Exploring
import JSONCore
import Predicates
import StatesCore
import Timelines
import Wire

extension Group {
  /// Explores machines through a daemon and two hosts.
  static let explore = Group(
    name: "explore",
    summary: "searches for events that lead to a failure: a daemon and two spawned hosts",
    metrics: [
      Metric(
        "explore.states_per_s",
        "distinct states a second, of a cart of 1 KB, in two hosts"),
      Metric(
        "explore.vs_direct",
        "that, against the same breadth-first search in one loop, without encoding",
        goal: .atLeast(0.33)),
      Metric(
        "explore.rss_mb_1m",
        "megabytes of the daemon and both hosts at their peaks, with a million states",
        goal: .atMost(256)),
      Metric(
        "explore.planted_s",
        "seconds to a planted bug that five of twelve kinds of events lead to, minimized",
        goal: .atMost(60)),
      Metric(
        "explore.basket_s", "seconds to the bug of the basket, minimized", goal: .atMost(1)),
    ]
  ) { measure in
    var results = try cartRates(measure)
    results["explore.rss_mb_1m"] = try cartMemory(measure)
    results["explore.planted_s"] = try secondsToBug(
      of: ExploredShop.self, from: ExploredShop(), ExploredShop.recorded, until: "state.paid < 0")
    results["explore.basket_s"] = try secondsToBug(
      of: ExploredBasket.self, from: ExploredBasket(), ExploredBasket.recorded,
      until: "state.items[0] == null && state.total != 0")
    return results
  }

  /// Both searches visit the same states with the same events, in turns.
  private static func cartRates(_ measure: Measure) throws -> [String: Double] {
    let start = ExploredCart(limit: measure.isQuick ? 2 : 4)
    let rounds = measure.isQuick ? 2 : 5
    return try blocking {
      let recording = try await HostedRecording(
        of: ExploredCart.self, from: start, ExploredCart.recorded)
      do {
        let search = try DirectSearch(start)
        var (explored, direct): ([Double], [Double]) = ([], [])
        var states = 0
        // The first round starts the hosts and warms them up.
        for _ in 0...rounds {
          let (answer, seconds) = try await explore(recording, until: "state.total < 0")
          explored.append(seconds)
          let (count, loop) = search.run()
          direct.append(loop)
          states = count
          guard answer.end == .everything, Int(answer.states) == count,
            Int(answer.sent) == count * search.eventCount
          else { throw BenchmarkError("the searches visit different states") }
        }
        await recording.end()
        let (ours, loop) = (
          Measure.median(Array(explored.dropFirst())), Measure.median(Array(direct.dropFirst()))
        )
        return [
          "explore.states_per_s": Double(states) / ours, "explore.vs_direct": loop / ours,
        ]
      } catch {
        await recording.end()
        throw error
      }
    }
  }

  private static func cartMemory(_ measure: Measure) throws -> Double {
    // Six lines with a count each, and the gift: 2 * 10^6, or 2 * 5^6 states.
    let start = ExploredCart(limit: measure.isQuick ? 4 : 9)
    let states: Int64 = measure.isQuick ? 20_000 : 1_000_000
    return try blocking {
      let recording = try await HostedRecording(
        of: ExploredCart.self, from: start, ExploredCart.recorded)
      do {
        let (answer, _) = try await explore(recording, until: "state.total < 0", states: states)
        guard answer.states == states else {
          throw BenchmarkError("the search did not visit as many states as it may")
        }
        let megabytes = try recording.peakMegabytes()
        await recording.end()
        return megabytes
      } catch {
        await recording.end()
        throw error
      }
    }
  }

  private static func secondsToBug<State: Reducible & Codable & Sendable>(
    of type: State.Type, from first: State, _ events: [String], until predicate: String
  ) throws -> Double where State.Event: Decodable {
    try blocking {
      let recording = try await HostedRecording(of: type, from: first, events)
      do {
        let (answer, seconds) = try await explore(recording, until: predicate)
        guard answer.end == .found, answer.findings.first?.minimal == true else {
          throw BenchmarkError("the bug was not found")
        }
        await recording.end()
        return seconds
      } catch {
        await recording.end()
        throw error
      }
    }
  }

  private static func explore(
    _ recording: HostedRecording, until predicate: String, states: Int64 = 20_000_000
  ) async throws -> (answer: ToInspector.Explore, seconds: Double) {
    let predicate = try Predicates.Predicate(predicate)
    let (answer, seconds) = try await recording.ask(
      .explore(
        FromInspector.Explore {
          $0.timeline = recording.timeline
          $0.from = 0
          $0.until = predicate
          $0.processes = 2
          $0.states = states
          $0.seconds = 3_600
        }))
    guard case .explore(let explored) = answer else {
      throw BenchmarkError("the daemon's answer to 'explore' cannot be used")
    }
    return (explored, seconds)
  }
}

/// The search that one writes by hand for one machine: a queue, and a set of states.
private struct DirectSearch {
  private let start: ExploredCart
  private let events: [ExploredCart.Event]

  /// The events that an exploration sends to each state.
  init(_ start: ExploredCart) throws {
    self.start = start
    let recorded = try ExploredCart.recorded.map { try JSON(parsing: Array($0.utf8)) }
    let state = try JSON(parsing: try CanonicalEncoder().encode(start))
    let pool = EventPool(recorded: RecordedPayloads(recorded), schema: nil, states: [state])
    events = try (pool.events + pool.variants(in: state)).map { event in
      try CanonicalDecoder().decode(
        ExploredCart.Event.self, from: JSONSlice(validating: event.event.encoded()))
    }
  }

  var eventCount: Int { events.count }

  /// Visits all states; returns their number, and the seconds that it took.
  func run() -> (states: Int, seconds: Double) {
    let clock = ContinuousClock()
    let begin = clock.now
    var known: Set<ExploredCart> = [start]
    var queue = [start]
    var head = 0
    while head < queue.count {
      let state = queue[head]
      head += 1
      for event in events {
        let next = ExploredCart.reduce(state: state, event: event)
        guard next.total >= 0, known.insert(next).inserted else { continue }
        queue.append(next)
      }
    }
    return (known.count, (clock.now - begin) / .seconds(1))
  }
}
