package import JSONCore
internal import Timelines

/// An event that an exploration can send.
package struct PoolEvent: Hashable, Sendable {
  /// The event, as a recording has it.
  package let event: JSON

  package let name: String

  /// Whether its payload is plausible: recorded, of the schema, or with an id of the state. A changed
  /// payload is not, and counts as two events.
  package let isPlausible: Bool

  package init(_ event: JSON, isPlausible: Bool = true) {
    self.event = event
    name = Self.name(of: event)
    self.isPlausible = isPlausible
  }

  /// The name of an event, as predicates read it; the text of one without a name.
  static func name(of event: JSON) -> String {
    let bytes = event.encoded()
    if let slice = try? JSONSlice(validating: bytes), let name = Entry.name(of: slice) {
      return name
    }
    return String(decoding: bytes.prefix(64), as: UTF8.self)
  }
}
