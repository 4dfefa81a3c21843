public import Replaying
public import StatesCore

extension StateRecorder {
  /// Records an update function like one of Mobius.
  ///
  /// `model` and `effects` extract the model and the effects from the function's result. A nil
  /// model means that the model did not change. To support branches and replays, pass as `make` a
  /// type that makes an `EffectfulReducer`.
  ///
  /// ```swift
  /// struct Next { var model: Int?; var effects: [String] = [] }
  /// let recorder = StateRecorder(app: "Commute")
  /// let update = recorder.wrap(
  ///   mobius: { (model: Int, event: Int) -> Next in Next(model: model + event, effects: ["save"]) },
  ///   as: "sum", model: { $0.model }, effects: { $0.effects })
  /// assert(update(1, 2).model == 3)
  /// ```
  public func wrap<
    Model: Encodable & Sendable, Event: Sendable, Next, Effects: Sequence
  >(
    mobius update: @escaping (Model, Event) -> Next, as name: String,
    model: @escaping (Next) -> Model?, effects: @escaping (Next) -> Effects,
    outputs: Outputs<Model> = Outputs([]), madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (Model, Event) -> Next where Effects.Element: Sendable {
    let facts = PerformedFacts(
      name: name, site: CallSite(file: file, line: line), make: make, showsEffects: true)
    return updating(update, makePerformedTap(facts, outputs) { $0 }, model, effects)
  }

  /// Records an update function by reflection, for a model that is not `Codable`.
  @_disfavoredOverload
  public func wrap<Model: Sendable, Event: Sendable, Next, Effects: Sequence>(
    mobius update: @escaping (Model, Event) -> Next, as name: String,
    model: @escaping (Next) -> Model?, effects: @escaping (Next) -> Effects,
    outputs: Outputs<Model> = Outputs([]),
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> (Model, Event) -> Next where Effects.Element: Sendable {
    let facts = PerformedFacts(
      name: name, site: CallSite(file: file, line: line), showsEffects: true, isReflected: true)
    return updating(update, makePerformedTap(facts, outputs) { Reflected($0) }, model, effects)
  }

  private func updating<Model: Sendable, Event: Sendable, Next, Effects: Sequence>(
    _ update: @escaping (Model, Event) -> Next, _ tap: FunctionTap<Model, Performed<Event>>?,
    _ model: @escaping (Next) -> Model?, _ effects: @escaping (Next) -> Effects
  ) -> (Model, Event) -> Next where Effects.Element: Sendable {
    guard let tap else { return update }
    return { before, event in
      tap.writer.begin(Performed(event: event))
      let next = update(before, event)
      tap.writer.complete(Performed(event: event, effects: effects(next).map { $0 }))
      tap.finish(before, model(next) ?? before)
      return next
    }
  }
}
