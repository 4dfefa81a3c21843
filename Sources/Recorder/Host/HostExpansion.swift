import JSONCore
import Replaying
import Timelines
import Wire

/// Sends events to states for a search, and answers with the states that are new in it.
///
/// Entries are most of the work of a step: a search needs none, except for the events of its findings.
/// A reducer that traps ends the process as usual; the daemon then sends the events one by one.
struct HostExpansion {
  private let request: ToRecorder.Reduce
  private let expand: ToRecorder.Expansion
  private let id: RequestID
  private let limits: HostLimits
  private let environment: HostSessionEnvironment
  private let time: Duration
  private let memory: Int64
  private let start: Duration
  private let firstMemory: Int64
  private var bytes = 0
  private var sent = 0

  /// Clock, memory, and cancellation are checked once in this many events.
  private static let checkInterval = 64

  init(
    _ request: ToRecorder.Reduce, _ expand: ToRecorder.Expansion, id: RequestID,
    limits: HostLimits, environment: HostSessionEnvironment
  ) {
    self.request = request
    self.expand = expand
    self.id = id
    self.limits = limits
    self.environment = environment
    time = .milliseconds(min(max(0, request.milliseconds ?? .max), limits.milliseconds))
    memory = min(max(0, request.bytes ?? .max), limits.bytes)
    (start, firstMemory) = (environment.now(), environment.memory())
  }

  /// Sends the events, and answers for at least one of the origins.
  mutating func perform(
    with replay: Replay, _ answered: AnsweredStates
  ) throws(HostRefusal) -> FromRecorder.Reduced {
    let origins: [FromRecorder.ExpandedOrigin]
    do throws(ReplayError) {
      let replayer = try replay.makeReplayer()
      guard let state = request.state else { throw ReplayError(.stateMissing) }
      try replayer.load(state: state, outputs: request.outputState, seq: nil)
      guard let expansion = try (replayer as? any ExpandingReplayer)?.expansion(of: expand.events)
      else { throw ReplayError(.notReplayable(why: Self.unsupported)) }
      answered.begin(expand.search)
      origins = try self.origins(expansion, answered)
    } catch {
      throw HostRefusal(code: .failed, sentence: "\(error.reason)", path: "expand")
    }
    guard !origins.isEmpty else {
      throw HostRefusal(
        code: .limit, sentence: "The events of one state exceed the limits of a request.",
        path: "expand")
    }
    return FromRecorder.Reduced { $0.expanded = origins }
  }

  private static let unsupported = "its states are not known by their encoding alone"

  private mutating func origins(
    _ expansion: any ReplayExpansion, _ answered: AnsweredStates
  ) throws(ReplayError) -> [FromRecorder.ExpandedOrigin] {
    var origins: [FromRecorder.ExpandedOrigin] = []
    for asked in expand.origins where bytes < limits.partBytes {
      guard try expansion.go(along: asked.path) else {
        throw ReplayError(.undecodableEvent(name: nil, why: "it leads to a state"))
      }
      guard let origin = try self.origin(asked, expansion, answered) else {
        // Its states are not in the answer, and it is sent again.
        answered.forget()
        break
      }
      guard try expansion.isIntact() else {
        throw ReplayError(.notReplayable(why: Self.unsupported))
      }
      origins.append(origin)
    }
    return origins
  }

  /// What the events did to one state; `nil` when a limit was reached before all of them were sent.
  private mutating func origin(
    _ asked: ToRecorder.ExpansionOrigin, _ expansion: any ReplayExpansion,
    _ answered: AnsweredStates
  ) throws(ReplayError) -> FromRecorder.ExpandedOrigin? {
    var origin = FromRecorder.ExpandedOrigin()
    var reached: [UInt8] = []
    let before = try answered.fingerprint(of: expansion.origin, expansion.encodedOrigin)
    for (place, event) in asked.sent.enumerated() {
      if isExceeded { return nil }
      guard let step = try expansion.send(event) else {
        origin.undecodable = (origin.undecodable ?? []) + [Int64(place)]
        continue
      }
      if let error = step.error {
        origin.errors = (origin.errors ?? []) + [.init(at: place, error)]
        bytes += error.utf8.count
      }
      guard let moment = step.moment else { continue }
      let fingerprint = try answered.fingerprint(of: moment, expansion.encodedState)
      guard fingerprint != before else { continue }
      origin.changed.append(Int64(place))
      Self.append(fingerprint, to: &reached)
      guard answered.insert(fingerprint) else { continue }
      let state = try Self.state(expansion.encodedState(), expansion.outputs, at: place)
      bytes += state.state.range.count + (state.outputs?.range.count ?? 0)
      // A longer answer would not fit into a message.
      guard bytes < limits.messageBytes / 2 else { return nil }
      origin.states.append(state)
    }
    bytes += reached.count
    origin.reached = String(decoding: reached, as: UTF8.self)
    return origin
  }

  private static func state(
    _ state: [UInt8], _ outputs: [UInt8], at place: Int
  ) throws(ReplayError) -> FromRecorder.ExpandedState {
    do {
      let (state, outputs) = (try JSONSlice(validating: state), try JSONSlice(validating: outputs))
      return FromRecorder.ExpandedState {
        $0.sent = Int64(place)
        $0.state = state
        $0.outputs = outputs.range.count > 2 ? outputs : nil
      }
    } catch {
      throw ReplayError(.unencodableState(why: "\(error)"))
    }
  }

  private var isExceeded: Bool {
    mutating get {
      sent += 1
      guard sent.isMultiple(of: Self.checkInterval) else { return false }
      return environment.isCancelled(id) || environment.now() - start > time
        || environment.memory() - firstMemory > memory
    }
  }

  private static func append(_ fingerprint: UInt64, to text: inout [UInt8]) {
    for shift in stride(from: UInt64(60), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: fingerprint >> shift) & 0xF
      text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
    }
  }
}

extension FromRecorder.ExpandedError {
  fileprivate init(at place: Int, _ error: String) {
    self.init {
      $0.sent = Int64(place)
      $0.message = error
    }
  }
}

/// The fingerprints of the states that were answered in one search, and those of states by their keys.
///
/// Only the session's thread may use it. Without it, states are answered again, which is only slower.
final class AnsweredStates {
  private var search: String?
  private var known = FingerprintSet()
  /// About 50 MB at most.
  private var fingerprints = FingerprintMap(limit: 1_500_000)

  /// About 90 MB.
  private static let limit = 4_000_000

  /// Begins a search, or continues it.
  func begin(_ name: String) {
    guard name != search else { return }
    search = name
    forget()
    fingerprints.removeAll()
  }

  /// Answers every state again.
  func forget() { known = FingerprintSet() }

  /// The fingerprint of a state, which is encoded only if nothing is known under its key.
  func fingerprint(
    of moment: ExpandedMoment, _ encoded: () throws(ReplayError) -> [UInt8]
  ) throws(ReplayError) -> UInt64 {
    if let key = moment.key, let known = fingerprints[key] { return known }
    let fingerprint = TextFingerprint.of(try encoded())
    if let key = moment.key { fingerprints.insert(fingerprint, for: key) }
    return fingerprint
  }

  /// Adds a fingerprint; returns whether its state has to be answered.
  func insert(_ fingerprint: UInt64) -> Bool {
    known.count >= Self.limit || known.insert(fingerprint)
  }
}

extension HostSession {
  /// Answers a request that expands states.
  func expand(
    _ reduce: ToRecorder.Reduce, _ expand: ToRecorder.Expansion, with replay: Replay,
    id: RequestID, send: (FromRecorder) -> Void
  ) {
    var work = HostExpansion(reduce, expand, id: id, limits: limits, environment: environment)
    do throws(HostRefusal) {
      send(.reduced(try work.perform(with: replay, answeredStates)))
    } catch {
      send(.error(Self.reply(error.code, error.sentence, path: error.path)))
    }
  }
}
