package import JSONCore
import Timelines

/// Events of many types, named after them: `{"Increase":{"by":4}}`, `{"Counter.increase":{"by":4}}`.
package enum NamedEvent {
  /// The name of a type of events without its module, which is the same in every process.
  package static func name(of type: Any.Type) -> String {
    let name = SchemaTypes.name(of: type)
    guard let dot = name.firstIndex(of: ".") else { return name }
    return String(name[name.index(after: dot)...])
  }

  /// An event of any type, encoded or by reflection.
  package static func json(of event: Any) throws -> JSON {
    let body = try JSON(parsing: CanonicalEncoder().encode(RecordedAny(event)))
    var name = name(of: type(of: event))
    var payload = body
    if Mirror(reflecting: event).displayStyle == .enum {
      if let found = parts(of: body) {
        name += "." + found.name
        payload = found.payload
      }
    }
    var object = JSON.Object()
    object[name] = payload
    return .object(object)
  }

  /// Decodes an event of one of these types; `nil` if none of them has its name.
  package static func decode(
    _ json: JSON, as types: [any Codable.Type]
  ) throws -> (any Codable)? {
    guard let (name, payload) = parts(of: json) else { return nil }
    if let type = types.first(where: { Self.name(of: $0) == name }) {
      return try decode(payload, as: type)
    }
    for type in types {
      let prefix = Self.name(of: type) + "."
      guard name.hasPrefix(prefix) else { continue }
      let word = String(name.dropFirst(prefix.count))
      var object = JSON.Object()
      object[word] = payload
      do {
        return try decode(.object(object), as: type)
      } catch {
        // An enum with raw values encodes as a string.
        guard payload.object?.isEmpty == true, let event = try? decode(.string(word), as: type)
        else { throw error }
        return event
      }
    }
    return nil
  }

  /// The name and the payload; a name alone has an empty payload.
  package static func parts(of json: JSON) -> (name: String, payload: JSON)? {
    if let name = json.string { return (name, .object(JSON.Object())) }
    guard let object = json.object, object.count == 1,
      let (name, payload) = object.first(where: { _ in true })
    else { return nil }
    return (name, payload)
  }

  private static func decode(_ json: JSON, as type: any Codable.Type) throws -> any Codable {
    try CanonicalDecoder().decode(type, from: json.encoded())
  }
}
