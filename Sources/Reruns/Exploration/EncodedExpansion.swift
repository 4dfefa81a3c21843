internal import Exploring
internal import JSONCore
internal import Predicates
internal import Timelines
internal import Wire

/// Sends events to some states on a host that answers `expand`: with the states that are new to it, and
/// without entries.
struct EncodedExpansion: Sendable {
  let host: any ReducerHosting
  let make: String
  let time: ExplorationTime
  let goal: ExplorationGoal
  let pool: EventPool
  /// The name of the search, under which the host knows what it has answered.
  let search: String
  /// The events, by number.
  let events: [JSONSlice]

  /// A state by the events that lead to it, and the events to send to it.
  struct Origin: Sendable {
    var task: BreadthFirst.Task
    var path: [UInt32]
    var sent: [UInt32]
  }

  /// The results of one state's events.
  struct Result: Sendable {
    var origin: Origin
    /// The places in `sent` of the events that led to another state, with its fingerprint.
    var changed: [(place: Int, fingerprint: UInt64)] = []
    var states: [Int: NewState] = [:]
    var errors: [Int: String] = [:]
    var undecodable: Set<Int> = []
    /// Whether the events were sent before the time ran out.
    var isWhole = true
    /// How many events were sent.
    var count: Int { isWhole ? origin.sent.count : 0 }
  }

  /// What is kept of a state that the host had not answered before.
  struct NewState: Sendable {
    var name: String?
    var isFound: Bool
    var ids: [JSON]
  }

  /// The events must be sent one by one.
  struct Failure: Error {
    /// Whether this holds for all states of the machine, as when the host refuses.
    let isForAll: Bool
  }

  /// The time limit of a request: the end of the exploration loses no more than it.
  private static let milliseconds: Int64 = 2_000

  /// Sends the events.
  func run(_ origins: [Origin], from start: Snapshot) async throws -> [Result] {
    let base = try HostMoment(start)
    var results: [Result] = []
    while results.count < origins.count, !time.isOver {
      let left = origins[results.count...]
      guard let answers = try await time.limit({ try await send(left, from: base) }) else { break }
      for (origin, answer) in zip(left, answers) {
        results.append(try result(of: origin, answer))
      }
    }
    for origin in origins[results.count...] {
      results.append(Result(origin: origin, isWhole: false))
    }
    return results
  }

  private func send(
    _ origins: ArraySlice<Origin>, from base: HostMoment
  ) async throws -> [FromRecorder.ExpandedOrigin] {
    let request = ToRecorder.Reduce {
      $0.make = make
      $0.state = base.state
      $0.outputState = base.outputs
      $0.seq = 1
      $0.milliseconds = Self.milliseconds
      $0.expand = expansion(origins)
    }
    let parts: HostAnswerParts
    do { parts = try await host.collect(request) } catch let refusal as Refusal {
      guard refusal.reply.code != .canceled else { throw CancellationError() }
      throw Failure(isForAll: true)
    }
    // The process has ended, at an event that is not known.
    guard parts.ended == nil else { throw Failure(isForAll: false) }
    guard !parts.expanded.isEmpty, parts.expanded.count <= origins.count else {
      throw Failure(isForAll: true)
    }
    return parts.expanded
  }

  /// The request, with only the events that it needs.
  private func expansion(_ origins: ArraySlice<Origin>) -> ToRecorder.Expansion {
    var places: [UInt32: Int64] = [:]
    var used: [JSONSlice] = []
    func place(_ number: UInt32) -> Int64 {
      if let known = places[number] { return known }
      let new = Int64(used.count)
      places[number] = new
      used.append(events[Int(number)])
      return new
    }
    var expansion = ToRecorder.Expansion()
    expansion.search = search
    expansion.origins = origins.map { origin in
      var part = ToRecorder.ExpansionOrigin()
      part.path = origin.path.map(place)
      part.sent = origin.sent.map(place)
      return part
    }
    expansion.events = used
    return expansion
  }

  private func result(
    of origin: Origin, _ answer: FromRecorder.ExpandedOrigin
  ) throws -> Result {
    let all = 0..<origin.sent.count
    func place(_ number: Int64) throws -> Int {
      guard let place = Int(exactly: number), all.contains(place) else {
        throw Failure(isForAll: true)
      }
      return place
    }
    var result = Result(origin: origin)
    let digits = Array(answer.reached.utf8)
    guard digits.count == answer.changed.count * 16 else { throw Failure(isForAll: true) }
    for (index, number) in answer.changed.enumerated() {
      let text = String(decoding: digits[(index * 16)..<(index * 16 + 16)], as: UTF8.self)
      guard let fingerprint = UInt64(text, radix: 16) else { throw Failure(isForAll: true) }
      let place = try place(number)
      guard result.changed.last.map({ $0.place < place }) ?? true else {
        throw Failure(isForAll: true)
      }
      result.changed.append((place, fingerprint))
    }
    for state in answer.states { result.states[try place(state.sent)] = new(state) }
    for error in answer.errors ?? [] { result.errors[try place(error.sent)] = error.message }
    result.undecodable = Set(try (answer.undecodable ?? []).map(place))
    return result
  }

  private func new(_ state: FromRecorder.ExpandedState) -> NewState {
    NewState(
      name: Coverage.name(of: state.state), isFound: goal.holds(in: state),
      ids: pool.ids(in: state.state))
  }
}

extension ExplorationGoal {
  /// Whether the predicate reads nothing but the moment, so that a state is looked at once.
  var readsOnlyMoments: Bool { predicate?.expression.readsOnlyMoments ?? true }

  /// Whether the predicate holds in a moment, whatever event led to it.
  fileprivate func holds(in moment: FromRecorder.ExpandedState) -> Bool {
    guard let predicate else { return false }
    let side = SideValues.known(
      state: .text(moment.state), outputs: moment.outputs.map(JSONView.text) ?? .tree([:]))
    return predicate.evaluate(EntrySubject(entry: Self.noEntry, before: side, after: side)) == .yes
  }

  private static let noEntry: JSONSlice = {
    do { return try JSONSlice(validating: Array("{}".utf8)) } catch {
      preconditionFailure("{} is JSON")
    }
  }()
}

extension Predicates.Predicate.Expression {
  fileprivate var readsOnlyMoments: Bool {
    switch self {
    case .value, .compare, .contains, .includes, .matches:
      paths.allSatisfy { $0.root == .state || $0.root == .outputs }
    case .anywhere, .changed: false
    case .not(let inner): inner.readsOnlyMoments
    case .all(let parts), .any(let parts): parts.allSatisfy(\.readsOnlyMoments)
    }
  }
}
