public import JSONCore
public import StatesCore

/// The recorded value of an output in one state.
///
/// ```swift
/// struct Coin: Reducible, Codable {
///   var isHeads = true
///   enum Event: String, Codable { case flipped }
///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
///   static var outputs: Outputs<Coin> { Output("isHeads", \.isHeads) }
/// }
/// let outputs = RecordedOutput.list(of: Coin.outputs, in: Coin())
/// assert(outputs.map(\.name) == ["isHeads"])
/// ```
public struct RecordedOutput: Hashable, Sendable {
  /// The output's name.
  public let name: String
  /// Its value as JSON.
  public let json: [UInt8]

  /// Creates an output from JSON.
  public init(_ name: String, json: [UInt8]) {
    self.name = name
    self.json = json
  }

  /// Creates an output from a value. If encoding fails, the output describes the error.
  public init(
    _ name: String, _ value: some Encodable, encoder: CanonicalEncoder = CanonicalEncoder()
  ) {
    self.init(name, json: Self.encode(value, encoder))
  }

  /// The outputs of a state that fire (`{}`) or have a value, in the order of declaration.
  public static func list<State>(
    of outputs: Outputs<State>, in state: State, encoder: CanonicalEncoder = CanonicalEncoder()
  ) -> [RecordedOutput] {
    var list: [RecordedOutput] = []
    list.reserveCapacity(outputs.count)
    for output in outputs.list {
      let json: [UInt8]
      switch output.value(in: state) {
      case .value(let value): json = encode(value, encoder)
      case .reflected(let value): json = encode(Reflected(value), encoder)
      case .fired: json = Array("{}".utf8)
      case .none: continue
      }
      list.append(RecordedOutput(output.name, json: json))
    }
    return list
  }

  /// The outputs in a recorded object.
  static func list(in object: JSONSlice?) -> [RecordedOutput] {
    object?.members.map { RecordedOutput($0.key, json: Array($0.value.bytes)) } ?? []
  }

  private static func encode<Value: Encodable>(
    _ value: Value, _ encoder: CanonicalEncoder
  ) -> [UInt8] {
    do {
      return try encoder.encode(value)
    } catch {
      // A failing output must not prevent recording the state.
      var note = JSON.Object()
      note["$error"] = .string("the output cannot be written as JSON: \(error)")
      return JSON.object(note).encoded()
    }
  }
}
