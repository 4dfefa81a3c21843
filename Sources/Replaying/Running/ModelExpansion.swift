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
  /// The state to which events are sent, encoded.
  var origin: [UInt8] { get }

  /// Goes from the first state along some events; returns false when one cannot be decoded.
  func go(along path: [Int64]) throws(ReplayError) -> Bool

  /// Sends an event to the state; `nil` when it cannot be decoded.
  func send(_ event: Int64) throws(ReplayError) -> ExpandedStep?

  /// The outputs after the last event, as an object.
  var outputs: [UInt8] { get }

  /// Whether the states are still what they were before events were sent, which an object inside
  /// would not be, and no value was redacted.
  func isIntact() throws(ReplayError) -> Bool
}

/// What an event did.
package struct ExpandedStep {
  /// The state that it led to, encoded.
  package let state: [UInt8]
  /// The error that the reducer threw.
  package let error: String?
}

extension ModelReplayer: ExpandingReplayer {
  package func expansion(
    of events: [JSONSlice]
  ) throws(ReplayError) -> (any ReplayExpansion)? {
    guard hasState, !hidesValues, Model.outputsFollowFromState, !(model is any SharedModel) else {
      return nil
    }
    return try ModelExpansion(model, events)
  }
}

/// Sends events to copies of a model.
private final class ModelExpansion<Model: MachineModel>: ReplayExpansion {
  private let first: Model
  private let firstState: [UInt8]
  private let events: [Model.Event?]
  private let encoder = CanonicalEncoder()
  private let redactedCount = RedactionMarks.redactedCount
  private var base: Model
  private var last: Model
  private(set) var origin: [UInt8]

  init(_ model: Model, _ events: [JSONSlice]) throws(ReplayError) {
    first = model
    (base, last) = (model, model)
    self.events = events.map { slice in
      guard let event = try? model.decode(slice), model.missing(for: event) == nil else {
        return nil
      }
      return event
    }
    firstState = try Self.encode(model, encoder)
    origin = firstState
  }

  private static func encode(
    _ model: Model, _ encoder: CanonicalEncoder
  ) throws(ReplayError) -> [UInt8] {
    do { return try encoder.encode(model.state) } catch {
      throw ReplayError(.unencodableState(why: "\(error)"))
    }
  }

  private func event(_ place: Int64) -> Model.Event? {
    events.indices.contains(Int(place)) ? events[Int(place)] : nil
  }

  func go(along path: [Int64]) throws(ReplayError) -> Bool {
    base = first
    for place in path {
      guard let event = event(place) else { return false }
      _ = base.handle(event)
    }
    origin = path.isEmpty ? firstState : try Self.encode(base, encoder)
    return true
  }

  func send(_ place: Int64) throws(ReplayError) -> ExpandedStep? {
    guard let event = event(place) else { return nil }
    last = base
    let error = last.handle(event)
    return ExpandedStep(state: try Self.encode(last, encoder), error: error)
  }

  var outputs: [UInt8] {
    var encoder = OutputEncoder()
    encoder.start(last.outputs)
    return encoder.bytes
  }

  func isIntact() throws(ReplayError) -> Bool {
    guard RedactionMarks.redactedCount == redactedCount else { return false }
    guard try Self.encode(base, encoder) == origin else { return false }
    return try Self.encode(first, encoder) == firstState
  }
}
