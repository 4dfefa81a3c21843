import JSONCore
import Timelines

/// The types of a reducer that a `Replayable` type makes, at run time.
package protocol ReducerTypes {
  static var stateType: Any.Type { get }
  static var eventType: Any.Type { get }
}

extension RecordedReducer: ReducerTypes {
  package static var stateType: Any.Type { State.self }
  package static var eventType: Any.Type { Event.self }
}

extension EffectfulReducer: ReducerTypes {
  package static var stateType: Any.Type { State.self }
  package static var eventType: Any.Type { Event.self }
}

/// The types of the reducer that a `Replayable` type makes; `nil` for other kinds of machines.
package func reducerTypes(of make: any Replayable.Type) -> (any ReducerTypes.Type)? {
  func types<Source: Replayable>(_ source: Source.Type) -> (any ReducerTypes.Type)? {
    Source.Replayed.self as? any ReducerTypes.Type
  }
  return types(make)
}

/// Explains why values of a type cannot be decoded.
package enum CodableProblem {
  /// A sentence that names the first case whose payload cannot be decoded; `nil` if the type is
  /// Codable.
  package static func sentence(about type: Any.Type) -> String? {
    guard !(type is any Decodable.Type) else { return nil }
    let name = SchemaTypes.name(of: type)
    guard let (word, payload) = culprit(in: type) else { return "\(name) is not Codable." }
    return """
      \(name) is not Codable: its case '\(word)' holds \(SchemaTypes.name(of: payload)), which is \
      not. Make that type Codable, or hold it as RecordedAsText<…>, and declare \(name) Codable.
      """
  }

  private static func culprit(in type: Any.Type) -> (String, Any.Type)? {
    for member in TypeMetadata.cases(of: type) ?? [] {
      guard let payload = member.type else { continue }
      let parts = TypeMetadata.parts(of: payload)?.map(\.type) ?? [payload]
      if let part = parts.first(where: { !($0 is any Decodable.Type) }) {
        return (member.name, part)
      }
    }
    return nil
  }
}
