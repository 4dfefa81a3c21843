public import MobiusCore
public import Recorder
public import Replaying
public import StatesCore

/// Names a Mobius loop: its update function, and the model that a fresh one starts from.
///
/// ```
/// enum CartRecording: RecordedLoop {
///   static var initialModel: Cart? { Cart() }
///   static func update(model: Cart, event: CartEvent) -> Next<Cart, CartEffect> { … }
/// }
/// ```
public protocol RecordedLoop: Replayable {
  /// The model.
  associatedtype Model: Codable & Sendable
  /// What the loop handles.
  associatedtype Event: Codable & Sendable
  /// What the loop asks for; recorded by reflection when it is not Codable.
  associatedtype Effect: Sendable

  /// The model of a fresh loop; nil when only a recording knows it. Default: nil.
  static var initialModel: Model? { get }

  /// The values that views derive from the model. Default: none.
  static var outputs: Outputs<Model> { get }

  /// The loop's update function.
  static func update(model: Model, event: Event) -> Next<Model, Effect>
}

extension RecordedLoop {
  /// Only a recording knows it.
  public static var initialModel: Model? { nil }

  /// None.
  public static var outputs: Outputs<Model> { Outputs([]) }

  /// A fresh loop without effect handlers.
  public static func make() -> EffectfulReducer<Model, Event> {
    EffectfulReducer(
      first: initialModel, outputs: outputs, update: { update(model: $0, event: $1) },
      model: { $0.model }, effects: { $0.effects })
  }
}

extension StateRecorder {
  /// The recorded update function of a loop, for `Mobius.loop(update:effectHandler:)`.
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
