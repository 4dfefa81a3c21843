import StatesCore
import Testing

/// Small worlds: all sequences of requests over two ids, against a naive model of lifetimes.
@Suite("Effects of a feedback system, all sequences")
struct FeedbackModelTests {
  private typealias Requests = [String: Int]

  private struct Job: Equatable, Sendable {
    let id: String
    let value: Int
  }

  private enum Event: Sendable {
    case set([String: Int])
    case poke(Int)
  }

  private struct State: Sendable {
    var requests: [String: Int]
    var pokes: [Int] = []
  }

  /// The nine ways to request "a" and "b": not, with 1, with 2.
  private static let worlds: [Requests] = [nil, 1, 2].flatMap { a in
    [nil, 1, 2].map { b in ["a": a, "b": b].compactMapValues { $0 } }
  }

  /// What should happen, written down without tasks, scopes or queues.
  private struct Model {
    var live: [String: (value: Int, generation: Int)] = [:]
    var generation = 0
    var log: [String] = []

    mutating func set(_ requests: Requests) {
      let ids = ["a", "b"]
      for id in ids {
        guard let old = live[id], let new = requests[id], old.value != new else { continue }
        live[id] = (new, old.generation)
        log.append("got \(id)\(new)")
      }
      for id in ids {
        guard live[id] == nil, let new = requests[id] else { continue }
        live[id] = (new, generation)
        log.append("start \(id)\(new)")
        generation += 1
      }
      for id in ids where requests[id] == nil && live.removeValue(forKey: id) != nil {
        log.append("cancel \(id)")
      }
    }

    func counts(_ generation: Int) -> Bool {
      live.values.contains { $0.generation == generation }
    }
  }

  private func makeRig(
    _ initial: Requests, _ log: FeedbackLog<String>, _ emits: FeedbackLog<Emit<Event>>
  ) -> FeedbackRig<State, Event> {
    FeedbackRig<State, Event>(
      State(requests: initial),
      reduce: { state, event in
        switch event {
        case .set(let requests): State(requests: requests, pokes: state.pokes)
        case .poke(let number): State(requests: state.requests, pokes: state.pokes + [number])
        }
      },
      react(
        "jobs",
        requests: { state in
          Dictionary(
            uniqueKeysWithValues: state.requests.map { ($0, Job(id: $0, value: $1)) })
        }
      ) { first, latest, emit in
        emits(emit)
        log("start \(first.id)\(first.value)")
        for await job in latest { log("got \(job.id)\(job.value)") }
        log("cancel \(first.id)")
      })
  }

  @Test("effects start, change, and end like the model's, state by state")
  func effectsMatchModel() {
    for first in Self.worlds {
      for second in Self.worlds {
        for third in Self.worlds {
          let log = FeedbackLog<String>()
          let emits = FeedbackLog<Emit<Event>>()
          let rig = makeRig(first, log, emits)
          var model = Model()
          model.set(first)
          var pokes: [Int] = []
          for requests in [second, third] {
            rig.send(.set(requests))
            model.set(requests)
            // Every effect that ever was speaks up; only the living are heard.
            for (generation, emit) in emits.all.enumerated() { emit(.poke(generation)) }
            rig.executor.drain()
            pokes += (0..<model.generation).filter(model.counts)
          }
          #expect(log.all == model.log, "\(first), \(second), \(third)")
          #expect(rig.states.all.last?.pokes == pokes, "\(first), \(second), \(third)")
          rig.cancel()
          #expect(rig.run.runningCount == 0)
          #expect(rig.executor.count == 0)
        }
      }
    }
  }

  @Test("events that wait in the queue while states change match the model")
  func queuedEventsMatchModel() {
    for first in Self.worlds where !first.isEmpty {
      for second in Self.worlds {
        for third in Self.worlds {
          let emits = FeedbackLog<Emit<Event>>()
          let rig = makeRig(first, FeedbackLog(), emits)
          var model = Model()
          model.set(first)
          var pokes: [Int] = []
          let early = emits.all
          for requests in [second, third] {
            rig.run.send(.set(requests))
            model.set(requests)
            for (generation, emit) in early.enumerated() { emit(.poke(generation)) }
            pokes += early.indices.filter(model.counts)
          }
          rig.executor.drain()
          #expect(rig.states.all.last?.pokes == pokes, "\(first), \(second), \(third)")
          rig.cancel()
          #expect(rig.run.runningCount == 0)
        }
      }
    }
  }
}
