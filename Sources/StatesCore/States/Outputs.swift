/// The outputs of a state, in the order in which they are declared.
///
/// When a name is used twice, the first one counts; ``duplicates`` lists the others.
///
/// ```swift
/// let outputs = Outputs<String>([Output("length", \.count), Output("isEmpty", \.isEmpty)])
/// assert(outputs.map(\.name) == ["length", "isEmpty"])
/// ```
public struct Outputs<State>: Sendable, RandomAccessCollection {
  /// The outputs as an array, which can be iterated without dynamic dispatch.
  package let list: [Output<State>]

  /// The names that were declared more than once; only their first output is kept.
  public let duplicates: [String]

  /// Makes a list of outputs.
  public init(_ outputs: [Output<State>]) {
    var names: Set<String> = []
    var list: [Output<State>] = []
    var duplicates: [String] = []
    for output in outputs {
      if names.insert(output.name).inserted {
        list.append(output)
      } else {
        duplicates.append(output.name)
      }
    }
    self.list = list
    self.duplicates = duplicates
  }

  /// The position of the first output.
  public var startIndex: Int { list.startIndex }
  /// The position after the last output.
  public var endIndex: Int { list.endIndex }
  /// The number of outputs.
  public var count: Int { list.count }
  /// The output at a position.
  public subscript(position: Int) -> Output<State> { list[position] }
  /// The output of that name.
  public subscript(name: String) -> Output<State>? { list.first { $0.name == name } }
}

/// Builds a state's list of outputs, written one per line.
///
/// ```swift
/// @OutputsBuilder<String> func outputs() -> Outputs<String> {
///   Output("length", \.count)
///   Output("isEmpty", \.isEmpty)
/// }
/// assert(outputs().count == 2)
/// ```
@resultBuilder
public enum OutputsBuilder<State> {
  /// One output.
  public static func buildExpression(_ output: Output<State>) -> [Output<State>] { [output] }
  /// A list of outputs, as another type or a helper offers them.
  public static func buildExpression(_ outputs: Outputs<State>) -> [Output<State>] {
    Array(outputs)
  }
  /// All outputs of a block.
  public static func buildBlock(_ parts: [Output<State>]...) -> [Output<State>] {
    Array(parts.joined())
  }
  /// The outputs of an `if` without `else`.
  public static func buildOptional(_ part: [Output<State>]?) -> [Output<State>] { part ?? [] }
  /// The outputs of the first branch.
  public static func buildEither(first: [Output<State>]) -> [Output<State>] { first }
  /// The outputs of the other branch.
  public static func buildEither(second: [Output<State>]) -> [Output<State>] { second }
  /// The outputs of a loop.
  public static func buildArray(_ parts: [[Output<State>]]) -> [Output<State>] {
    Array(parts.joined())
  }
  /// The finished list.
  public static func buildFinalResult(_ outputs: [Output<State>]) -> Outputs<State> {
    Outputs(outputs)
  }
}
