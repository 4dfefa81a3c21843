/// A state that can be applied by name, with its arguments as data.
///
/// ```swift
/// final class SearchView: Stateful {
///   var keyword = ""
///   private(set) lazy var state = Dispatcher(for: self)
///   static func awaiting(with keyword: String) -> State {
///     state(keyword) { $0.keyword = keyword }
///   }
///   static func locked() -> State { state { _ in } }
///
///   static var dispatchable: [Dispatchable] {
///     [Dispatchable(locked), Dispatchable("awaiting(with:)", awaiting(with:))]
///   }
/// }
/// assert(SearchView.dispatchable.map(\.name) == ["locked()", "awaiting(with:)"])
/// ```
public struct DispatchableState<Subject: AnyObject> {
  /// The state's identity.
  public let name: String
  /// The types of its arguments.
  public let argumentTypes: [any (Codable & Sendable).Type]

  private let make: ((any Decoder)?) throws -> FunctionalState<Subject>

  /// Lists a state without arguments.
  public init(_ make: @escaping () -> FunctionalState<Subject>) {
    name = make().name
    argumentTypes = []
    self.make = { _ in make() }
  }

  /// Lists a state with arguments; the name is the function's, as `#function` gives it.
  public init<each Argument: Codable & Sendable>(
    _ name: String, _ make: @escaping (repeat each Argument) -> FunctionalState<Subject>
  ) {
    self.name = name
    var types: [any (Codable & Sendable).Type] = []
    for type in repeat (each Argument).self { types.append(type) }
    argumentTypes = types
    self.make = { decoder in
      guard let decoder else {
        throw DispatchError.argumentsDoNotFit(
          state: name, reason: "expected \(types.count), but got none.")
      }
      var list = try decoder.unkeyedContainer()
      return make(repeat try list.decode((each Argument).self))
    }
  }

  /// Makes the state; `arguments` decodes a list of them.
  public func makeState(
    arguments: (any Decoder)?
  ) throws(DispatchError) -> FunctionalState<Subject> {
    do {
      return try make(arguments)
    } catch let error as DispatchError {
      throw error
    } catch {
      throw .argumentsDoNotFit(state: name, reason: "\(error)")
    }
  }
}

extension Stateful {
  /// Makes the state with that name if the type lists it as dispatchable; throws otherwise.
  ///
  /// ```swift
  /// final class Lamp: Stateful {
  ///   private(set) lazy var state = Dispatcher(for: self)
  ///   static func on() -> State { state { _ in } }
  ///   static var dispatchable: [Dispatchable] { [Dispatchable(on)] }
  /// }
  /// let lamp = Lamp()
  /// lamp.state.apply(try Lamp.dispatchableState(named: "on()", arguments: nil))
  /// assert(lamp.state.current?.name == "on()")
  /// ```
  public static func dispatchableState(
    named name: String, arguments: (any Decoder)?
  ) throws(DispatchError) -> FunctionalState<Subject> {
    guard let state = dispatchable.first(where: { $0.name == name }) else {
      throw .notDispatchable(state: name, type: "\(Self.self)")
    }
    return try state.makeState(arguments: arguments)
  }
}
