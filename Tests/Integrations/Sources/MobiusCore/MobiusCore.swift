// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// A stand-in of the public shapes of MobiusCore 0.7 that the integration and its test use.

public typealias Consumer<Value> = (Value) -> Void

public struct Next<Model, Effect> {
  public let model: Model?
  public let effects: [Effect]
}

extension Next {
  public static func next(_ model: Model, effects: [Effect] = []) -> Self {
    Self(model: model, effects: effects)
  }
  public static func dispatchEffects(_ effects: [Effect]) -> Self {
    Self(model: nil, effects: effects)
  }
  public static var noChange: Self { Self(model: nil, effects: []) }
}

public struct Update<Model, Event, Effect> {
  private let updateClosure: (Model, Event) -> Next<Model, Effect>

  public init(_ update: @escaping (Model, Event) -> Next<Model, Effect>) {
    updateClosure = update
  }

  public func update(model: Model, event: Event) -> Next<Model, Effect> {
    updateClosure(model, event)
  }
}

public final class Connection<Value> {
  private let acceptClosure: Consumer<Value>

  public init(acceptClosure: @escaping Consumer<Value>, disposeClosure: @escaping () -> Void) {
    self.acceptClosure = acceptClosure
  }

  public func accept(_ value: Value) { acceptClosure(value) }
}

public protocol Connectable {
  associatedtype Input
  associatedtype Output
  func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input>
}

public final class AnyConnectable<Input, Output>: Connectable {
  private let connectClosure: (@escaping Consumer<Output>) -> Connection<Input>

  public init(_ connect: @escaping (@escaping Consumer<Output>) -> Connection<Input>) {
    connectClosure = connect
  }

  public func connect(_ consumer: @escaping Consumer<Output>) -> Connection<Input> {
    connectClosure(consumer)
  }
}

public enum Mobius {
  public static func loop<Model, Event, Effect, EffectHandler: Connectable>(
    update: Update<Model, Event, Effect>, effectHandler: EffectHandler
  ) -> Builder<Model, Event, Effect>
  where EffectHandler.Input == Effect, EffectHandler.Output == Event {
    Builder(update: update, connect: effectHandler.connect)
  }

  public struct Builder<Model, Event, Effect> {
    fileprivate let update: Update<Model, Event, Effect>
    fileprivate let connect: (@escaping Consumer<Event>) -> Connection<Effect>

    public func start(
      from initialModel: Model, effects: [Effect] = []
    ) -> MobiusLoop<Model, Event, Effect> {
      MobiusLoop(initialModel, update, connect, effects)
    }
  }
}

public final class MobiusLoop<Model, Event, Effect> {
  public private(set) var latestModel: Model
  private let update: Update<Model, Event, Effect>
  private var connection: Connection<Effect>?
  private var waiting: [Event] = []
  private var isBusy = false

  fileprivate init(
    _ model: Model, _ update: Update<Model, Event, Effect>,
    _ connect: (@escaping Consumer<Event>) -> Connection<Effect>, _ effects: [Effect]
  ) {
    (latestModel, self.update) = (model, update)
    connection = connect { [unowned self] in dispatchEvent($0) }
    for effect in effects { connection?.accept(effect) }
  }

  public func dispatchEvent(_ event: Event) {
    waiting.append(event)
    guard !isBusy else { return }
    isBusy = true
    defer { isBusy = false }
    while !waiting.isEmpty {
      let next = update.update(model: latestModel, event: waiting.removeFirst())
      if let model = next.model { latestModel = model }
      for effect in next.effects { connection?.accept(effect) }
    }
  }
}
