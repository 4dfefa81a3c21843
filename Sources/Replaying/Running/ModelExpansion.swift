package import JSONCore

/// A replayer that can send many events to many states, without entries.
package protocol ExpandingReplayer: Replayer {
  /// Sends events to the current state, and to those that they lead to.
  ///
  /// `nil` for a machine whose states are not known by their encoding alone: with reference semantics,
  /// outputs that do not follow from the state, or redacted values.
  func expansion(of events: [JSONSlice]) throws(ReplayError) -> (any ReplayExpansion)?
}

/// Sends events to a state, and goes back to it after each. Events are named by their places.
package protocol ReplayExpansion: AnyObject {
  /// The state to which events are sent.
  var origin: ExpandedMoment { get }

  /// Goes from the first state along some events; returns false when one cannot be decoded.
  func go(along path: [Int64]) throws(ReplayError) -> Bool

  /// Sends an event to the state; `nil` when it cannot be decoded.
  func send(_ event: Int64) throws(ReplayError) -> ExpandedStep?

  /// Encodes the state to which events are sent.
  func encodedOrigin() throws(ReplayError) -> [UInt8]

  /// Encodes the state after the last event.
  func encodedState() throws(ReplayError) -> [UInt8]

  /// The outputs after the last event, as an object.
  var outputs: [UInt8] { get }

  /// Whether the states are still what they were before events were sent, which an object inside
  /// would not be, and no value was redacted.
  func isIntact() throws(ReplayError) -> Bool
}

/// A state, without its encoding.
package struct ExpandedMoment {
  /// A key under which the fingerprint of the state's encoding can be found again in this process; `nil`
  /// for types that have none.
  package let key: UInt64?
}

/// What an event did.
package struct ExpandedStep {
  /// The state that it led to; `nil` if it is certainly the same as before.
  package let moment: ExpandedMoment?
  /// The error that the reducer threw.
  package let error: String?
}

extension ModelReplayer: ExpandingReplayer {
  package func expansion(
    of events: [JSONSlice]
  ) throws(ReplayError) -> (any ReplayExpansion)? {
    guard hasState, !hidesValues, Model.outputsFollowFromState, !Self.isShared else { return nil }
    return try ModelExpansion(model, events)
  }
}

/// Sends events to copies of a model.
private final class ModelExpansion<Model: MachineModel>: ReplayExpansion {
  private let events: [Model.Event?]
  private let encoder = CanonicalEncoder()
  private let same = ByteEquality<Model.State>()
  private let hash = ValueHash<Model.State>()
  private let redactedCount = RedactionMarks.redactedCount
  private let first: Model
  private var base: Model
  private var last: Model
  /// The encoding of the last state, once it is needed.
  private var lastText: [UInt8]?
  private(set) var origin: ExpandedMoment
  /// The models after each event of the last path: the next path often begins in the same way. Empty where
  /// a state may change behind a reference.
  private var trail: [(event: Int64, model: Model)] = []
  /// Copies of the first state and of the one to which events are sent, to see whether the models change
  /// behind a reference.
  private let firstState: Model.State
  private var originState: Model.State
  /// Their encodings; empty where a state cannot change behind a reference.
  private var (firstText, originText): ([UInt8], [UInt8]) = ([], [])

  init(_ model: Model, _ events: [JSONSlice]) throws(ReplayError) {
    (first, base, last) = (model, model, model)
    let state = model.state
    (firstState, originState) = (state, state)
    self.events = events.map { slice in
      guard let event = try? model.decode(slice), model.missing(for: event) == nil else {
        return nil
      }
      return event
    }
    origin = ExpandedMoment(key: hash?.of(state))
    guard !same.isDecidable else { return }
    firstText = try encode(state)
    originText = firstText
  }

  private func encode(_ state: Model.State) throws(ReplayError) -> [UInt8] {
    do { return try encoder.encode(state) } catch {
      throw ReplayError(.unencodableState(why: "\(error)"))
    }
  }

  private func event(_ place: Int64) -> Model.Event? {
    Int(exactly: place).flatMap { events.indices.contains($0) ? events[$0] : nil }
  }

  func go(along path: [Int64]) throws(ReplayError) -> Bool {
    let known = zip(trail, path).prefix { $0.event == $1 }.count
    trail.removeLast(trail.count - known)
    base = trail.last?.model ?? first
    for place in path.dropFirst(known) {
      guard let event = event(place) else { return false }
      _ = base.handle(event)
      if same.isDecidable { trail.append((place, base)) }
    }
    originState = base.state
    origin = ExpandedMoment(key: hash?.of(originState))
    if !same.isDecidable { originText = path.isEmpty ? firstText : try encode(originState) }
    return true
  }

  func send(_ place: Int64) throws(ReplayError) -> ExpandedStep? {
    guard let event = event(place) else { return nil }
    last = base
    lastText = nil
    let error = last.handle(event)
    let state = last.state
    if same.isCertain(originState, state) { return ExpandedStep(moment: nil, error: error) }
    return ExpandedStep(moment: ExpandedMoment(key: hash?.of(state)), error: error)
  }

  func encodedOrigin() throws(ReplayError) -> [UInt8] { try encode(base.state) }

  func encodedState() throws(ReplayError) -> [UInt8] {
    if let lastText { return lastText }
    let text = try encode(last.state)
    lastText = text
    return text
  }

  var outputs: [UInt8] {
    var encoder = OutputEncoder()
    encoder.start(last.outputs)
    return encoder.bytes
  }

  func isIntact() throws(ReplayError) -> Bool {
    guard RedactionMarks.redactedCount == redactedCount else { return false }
    guard !same.isDecidable else {
      guard try isSame(base.state, originState) else { return false }
      return try isSame(first.state, firstState)
    }
    guard try encode(base.state) == originText else { return false }
    return try encode(first.state) == firstText
  }

  /// Encodes the states only if their bytes differ, as those of a state that the model makes each time.
  private func isSame(_ one: Model.State, _ other: Model.State) throws(ReplayError) -> Bool {
    if same.isCertain(one, other) { return true }
    return try encode(one) == encode(other)
  }
}
