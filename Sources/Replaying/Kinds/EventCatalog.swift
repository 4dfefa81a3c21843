import JSONCore
package import Timelines

/// The types of events of a store that accepts any type conforming to a protocol, such as ReSwift's
/// `any Action`.
///
/// A recording names such an event by its type: `{"Increase":{"by":4}}`, or by type and case if the
/// type is an enum: `{"Counter.increase":{"by":4}}`. The catalog is needed to find the type again.
///
/// ```swift
/// struct Increase: Codable { var by: Int }
/// enum Actions: EventCatalog {
///   static var events: [any Codable.Type] { [Increase.self] }
/// }
/// let bytes = Array(#"{"Increase":{"by":4}}"#.utf8)
/// let event = try CanonicalDecoder().decode(CatalogEvent<Actions>.self, from: bytes)
/// assert((event.value as? Increase)?.by == 4)
/// ```
public protocol EventCatalog: SendableMetatype {
  /// The types of the events that can be run again.
  static var events: [any Codable.Type] { get }
}

/// An event of one of the types that a catalog lists.
public struct CatalogEvent<Catalog: EventCatalog> {
  /// The event.
  public let value: any Codable

  /// Wraps an event.
  public init(_ value: any Codable) {
    self.value = value
  }
}

extension CatalogEvent: Codable {
  /// Decodes an event by the name of its type.
  public init(from decoder: any Decoder) throws {
    let json = try RecordedJSON(from: decoder).value
    guard let event = try NamedEvent.decode(json, as: Catalog.events) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: Self.notListed(json)))
    }
    self.init(event)
  }

  /// Encodes the event under the name of its type.
  public func encode(to encoder: any Encoder) throws {
    try RecordedJSON(NamedEvent.json(of: value)).encode(to: encoder)
  }

  private static func notListed(_ json: JSON) -> String {
    let name = NamedEvent.parts(of: json)?.name ?? "it"
    return """
      \(name) is not one of the \(Catalog.events.count) types in \
      \(SchemaTypes.name(of: Catalog.self)). To fix, declare its type Codable and list it there, or \
      leave this event out of the branch
      """
  }
}

extension CatalogEvent: SchemaProviding {
  package static var eventSchema: EventSchema {
    EventSchema(ofNamed: Catalog.events.map { (NamedEvent.name(of: $0), $0) })
  }
}

/// A type of events with a schema that reflection cannot find.
package protocol SchemaProviding {
  static var eventSchema: EventSchema { get }
}
