#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Recognizes types by their names, and names types.
package enum SchemaTypes {
  /// The kind of a type that is one JSON value.
  static func kind(of type: Any.Type) -> EventSchema.Shape.Kind? {
    switch type {
    case is String.Type: .string
    case is Bool.Type: .bool
    case is any FixedWidthInteger.Type: .int
    case is any BinaryFloatingPoint.Type, is Decimal.Type: .double
    case is Date.Type: .date
    case is Data.Type: .data
    case is URL.Type: .url
    case is UUID.Type: .uuid
    default: nil
    }
  }

  /// The type's name with its module, the same in every process and on every platform.
  package static func name(of type: Any.Type) -> String {
    // On platforms where Foundation has several modules, its types have the inner module's name.
    let name = String(reflecting: type).replacing("FoundationEssentials.", with: "Foundation.")
    guard name.contains("(unknown context at $") else { return name }
    // Private and local types are named by an address, which changes.
    var result = ""
    var rest = name[...]
    while let range = rest.firstRange(of: "(unknown context at $") {
      result += rest[..<range.lowerBound]
      rest = rest[range.upperBound...]
      guard let end = rest.firstRange(of: ").") else { break }
      rest = rest[end.upperBound...]
    }
    return result + rest
  }
}

/// A type whose values consist of values of one other type.
protocol SchemaContainer {
  /// The type of the elements.
  static var schemaElement: Any.Type { get }
  /// Its shape, given the shape of an element.
  static func schemaShape(_ element: EventSchema.Shape, _ name: String) -> EventSchema.Shape
}

extension Optional: SchemaContainer {
  static var schemaElement: Any.Type { Wrapped.self }
  static func schemaShape(_ element: EventSchema.Shape, _ name: String) -> EventSchema.Shape {
    // Nested optionals are encoded as the innermost one.
    element.isOptional ? element : .optional(element)
  }
}

extension Array: SchemaContainer {
  static var schemaElement: Any.Type { Element.self }
  static func schemaShape(_ element: EventSchema.Shape, _ name: String) -> EventSchema.Shape {
    .array(of: element, type: name)
  }
}

extension ContiguousArray: SchemaContainer {
  static var schemaElement: Any.Type { Element.self }
  static func schemaShape(_ element: EventSchema.Shape, _ name: String) -> EventSchema.Shape {
    .array(of: element, type: name)
  }
}

extension Set: SchemaContainer {
  static var schemaElement: Any.Type { Element.self }
  static func schemaShape(_ element: EventSchema.Shape, _ name: String) -> EventSchema.Shape {
    .array(of: element, type: name)
  }
}

extension Dictionary: SchemaContainer {
  static var schemaElement: Any.Type { Value.self }
  static func schemaShape(_ element: EventSchema.Shape, _ name: String) -> EventSchema.Shape {
    // Dictionaries with other keys are encoded as arrays of alternating keys and values.
    let isObject =
      Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
    return isObject ? .dictionary(of: element, type: name) : .array(of: .unknown, type: name)
  }
}
