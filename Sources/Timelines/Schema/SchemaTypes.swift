#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is known about types by their names alone, and how they are named.
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
    // Where Foundation is split into several modules, its types are named by the inner one.
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

/// A type whose values are made of others of one type.
protocol SchemaContainer {
  /// The type that the container holds.
  static var schemaElement: Any.Type { get }
  /// What it is, given the shape of an element.
  static func schemaShape(_ element: EventSchema.Shape, _ name: String) -> EventSchema.Shape
}

extension Optional: SchemaContainer {
  static var schemaElement: Any.Type { Wrapped.self }
  static func schemaShape(_ element: EventSchema.Shape, _ name: String) -> EventSchema.Shape {
    // An optional of an optional is written as its innermost one.
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
    // Dictionaries by other keys are written as arrays in which keys and values alternate.
    let isObject =
      Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
    return isObject ? .dictionary(of: element, type: name) : .array(of: .unknown, type: name)
  }
}
