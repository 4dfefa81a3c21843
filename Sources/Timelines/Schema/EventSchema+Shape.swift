extension EventSchema {
  /// The kind of a value, with its Swift type if known.
  public indirect enum Shape: Hashable, Sendable {
    /// A scalar.
    case scalar(Kind, type: String?)
    /// An array, or a set.
    case array(of: Shape, type: String?)
    /// An object with arbitrary keys.
    case dictionary(of: Shape, type: String?)
    /// A value that may be absent or null.
    case optional(Shape)
    /// A struct or an enum in the schema's ``EventSchema/types``.
    case named(String)

    /// The kinds of scalars.
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
      /// An unknown kind.
      case any
    }

    /// An unknown shape.
    public static let unknown = Shape.scalar(.any, type: nil)

    /// The shape of a value that is not nil.
    var unwrapped: Shape {
      if case .optional(let shape) = self { shape.unwrapped } else { self }
    }

    /// Whether it may be absent or null.
    var isOptional: Bool {
      if case .optional = self { true } else { false }
    }
  }
}
