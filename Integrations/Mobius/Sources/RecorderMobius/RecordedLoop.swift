public import MobiusCore
public import Recorder
public import Replaying
public import StatesCore

/// Describes a Mobius loop: its update function, and the model that a fresh loop starts with.
///
/// ```swift
/// enum CartRecording: RecordedLoop {
///   static var initialModel: Cart? { Cart() }
///   static func update(model: Cart, event: CartEvent) -> Next<Cart, CartEffect> {
///     switch event {
///     case .added(let item): .next(Cart(items: model.items + [item]))
///     case .saved: .noChange
///     }
///   }
/// }
/// ```
public protocol RecordedLoop: Replayable {
  /// The model of the loop.
  associatedtype Model: Codable & Sendable
  /// The events that the loop handles.
  associatedtype Event: Codable & Sendable
  /// The effects that the loop requests. They are recorded by reflection if they are not `Codable`.
  associatedtype Effect: Sendable

  /// The model of a fresh loop; nil if it is not known in advance. Default: nil.
  static var initialModel: Model? { get }

  /// The values that views derive from the model. Default: none.
  static var outputs: Outputs<Model> { get }

  /// The loop's update function.
  static func update(model: Model, event: Event) -> Next<Model, Effect>
}

extension RecordedLoop {
  /// Returns nil: replays start with the recorded model.
  public static var initialModel: Model? { nil }

  /// Declares no outputs.
  public static var outputs: Outputs<Model> { Outputs([]) }

  /// Makes a fresh loop without effect handlers.
  public static func make() -> EffectfulReducer<Model, Event> {
    EffectfulReducer(
      first: initialModel, outputs: outputs, update: { update(model: $0, event: $1) },
      model: { $0.model }, effects: { $0.effects })
  }
}

extension StateRecorder {
  /// Returns a recorded update function, for `Mobius.loop(update:effectHandler:)`.
  ///
  /// Call it once for each loop.
  public func wrap<Loop: RecordedLoop>(
    _ loop: Loop.Type, as name: String, file: StaticString = #fileID, line: UInt32 = #line
  ) -> Update<Loop.Model, Loop.Event, Loop.Effect> {
    Update(
      wrap(
        mobius: { (model: Loop.Model, event: Loop.Event) in Loop.update(model: model, event: event)
        },
        as: name, model: { $0.model }, effects: { $0.effects }, outputs: Loop.outputs,
        madeBy: Loop.self, file: file, line: line))
  }
}
