extension EventSchema {
  /// What kind of value stands somewhere, with the Swift type where it is known.
  public indirect enum Shape: Hashable, Sendable {
    /// A value without parts.
    case scalar(Kind, type: String?)
    /// An array, or a set.
    case array(of: Shape, type: String?)
    /// An object with keys of the user's choice.
    case dictionary(of: Shape, type: String?)
    /// A value that may be absent or null.
    case optional(Shape)
    /// A struct or enum, to be found in the schema's ``EventSchema/types``.
    case named(String)

    /// The kinds of values without parts.
    public enum Kind: String, Hashable, Sendable {
      /// A string.
      case string
      /// A whole number.
      case int
      /// A number.
      case double
      /// `true` or `false`.
      case bool
      /// Seconds since 1970.
      case date
      /// A string in base64.
      case data
      /// A string that is a URL.
      case url
      /// A string that is a UUID.
      case uuid
      /// A value of which nothing is known.
      case any
    }

    /// Nothing is known.
    public static let unknown = Shape.scalar(.any, type: nil)

    /// What it is when it is not nil.
    var unwrapped: Shape {
      if case .optional(let shape) = self { shape.unwrapped } else { self }
    }

    /// Whether it may be absent or null.
    var isOptional: Bool {
      if case .optional = self { true } else { false }
    }
  }
}
