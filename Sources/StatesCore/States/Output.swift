/// What an output is for.
///
/// ```swift
/// assert(OutputUse.navigation.rawValue == "navigation")
/// ```
public enum OutputUse: String, Hashable, Sendable, CaseIterable {
  /// A value that something on the screen shows.
  case ui
  /// Something to load, save, or send; nil means that there is nothing to do.
  case data
  /// A place to navigate to; nil means to stay.
  case navigation
}

/// The value of an output in one state.
///
/// ```swift
/// let nothing = OutputValue.none
/// print(nothing)
/// ```
public enum OutputValue {
  /// A value that can be encoded.
  case value(any Encodable & SendableMetatype)
  /// A value that cannot be encoded, and is shown by reflection.
  case reflected(Any)
  /// An output without a value fires.
  case fired
  /// Nothing to do.
  case none
}

/// A named value that is computed from a state.
///
/// The name is what recordings and tests call it. The value comes from a key path or a closure; it
/// may be a plain value, an optional one (nil: nothing to do), or `Void?` (fires or not).
///
/// ```swift
/// struct Stops { var isLoading = false; var query: String?; var shown: Int?; var sync: Void? }
/// let outputs: [Output<Stops>] = [
///   Output("isLoading", \.isLoading),
///   Output("loadStops", \.query),
///   Output("showStop", as: .navigation, \.shown),
///   Output("syncFavorites") { $0.sync },
/// ]
/// assert(outputs.map(\.use) == [.ui, .data, .navigation, .data])
/// ```
public struct Output<State>: Sendable {
  /// The name, unique among the outputs of a state.
  public let name: String
  /// What it is for.
  public let use: OutputUse
  private let get: @Sendable (State) -> OutputValue

  /// An output that always has a value.
  public init<Value: Encodable & SendableMetatype>(
    _ name: String, as use: OutputUse = .ui, _ get: @escaping @Sendable (State) -> Value
  ) {
    self.init(name: name, use: use) { .value(get($0)) }
  }

  /// An output that has a value when there is something to do.
  public init<Value: Encodable & SendableMetatype>(
    _ name: String, as use: OutputUse = .data, _ get: @escaping @Sendable (State) -> Value?
  ) {
    self.init(name: name, use: use) { state in get(state).map { .value($0) } ?? .none }
  }

  /// An output that fires or not.
  public init(
    _ name: String, as use: OutputUse = .data, _ get: @escaping @Sendable (State) -> Void?
  ) {
    self.init(name: name, use: use) { get($0) == nil ? .none : .fired }
  }

  /// An output whose value cannot be encoded; it is shown by reflection.
  @_disfavoredOverload
  public init<Value>(
    _ name: String, as use: OutputUse = .ui, _ get: @escaping @Sendable (State) -> Value
  ) {
    self.init(name: name, use: use) { .reflected(get($0)) }
  }

  /// An optional output whose value cannot be encoded; it is shown by reflection.
  @_disfavoredOverload
  public init<Value>(
    _ name: String, as use: OutputUse = .data, _ get: @escaping @Sendable (State) -> Value?
  ) {
    self.init(name: name, use: use) { state in get(state).map { .reflected($0) } ?? .none }
  }

  private init(name: String, use: OutputUse, get: @escaping @Sendable (State) -> OutputValue) {
    self.name = name
    self.use = use
    self.get = get
  }

  /// The output's value in a state.
  public func value(in state: State) -> OutputValue { get(state) }
}
